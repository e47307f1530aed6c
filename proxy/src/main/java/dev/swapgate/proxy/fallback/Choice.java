package dev.swapgate.proxy.fallback;

import java.util.Optional;

/**
 * Whom to ask.
 *
 * @param model by the provider's name; empty when the request names none
 */
public record Choice(Provider provider, Provider.Key key, Optional<String> model) {

  CooldownKey covered(Cover cover) {
    return switch (cover) {
      case PROVIDER -> new CooldownKey.OfProvider(provider.name());
      case MODEL ->
          model
              .<CooldownKey>map(name -> new CooldownKey.OfModel(provider.name(), name))
              .orElseGet(() -> new CooldownKey.OfProvider(provider.name()));
      case KEY -> new CooldownKey.OfKey(provider.name(), key.name());
    };
  }
}
