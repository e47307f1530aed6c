package dev.swapgate.proxy.fallback;

/** What a cooldown covers. Its text is what people and the admin API call it. */
sealed interface CooldownKey {

  String provider();

  String text();

  /** A whole provider: {@code openrouter}. */
  record OfProvider(String provider) implements CooldownKey {
    @Override
    public String text() {
      return provider;
    }
  }

  /** One model of a provider, by the provider's own name for it: {@code openrouter:qwen3}. */
  record OfModel(String provider, String model) implements CooldownKey {

    private static final int LONGEST = 200;

    /** The name may be a client's own: it must fit a line of a log. */
    public OfModel {
      String cut = model.length() > LONGEST ? model.substring(0, LONGEST) : model;
      model = cut.replaceAll("[^!#-~]", "?");
    }

    @Override
    public String text() {
      return provider + ":" + model;
    }
  }

  /** One key of a provider, by its name and never by its secret: {@code openrouter:first}. */
  record OfKey(String provider, String key) implements CooldownKey {
    @Override
    public String text() {
      return provider + ":" + key;
    }
  }
}
