package dev.swapgate.backends.sim;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The folders of the pretend ComfyUI: {@code output}, {@code temp} and {@code input}. */
final class ComfyFiles {
  private static final Set<String> KINDS = Set.of("output", "temp", "input");

  private final Path base;

  ComfyFiles(Path base) {
    this.base = base;
    try {
      for (String kind : KINDS) {
        Files.createDirectories(base.resolve(kind));
      }
    } catch (IOException e) {
      throw new UncheckedIOException("could not make the folders in " + base, e);
    }
  }

  /** Saves under the next free number of the prefix and says where, as in a history entry. */
  Map<String, @Nullable Object> save(String kind, String prefix, String ending, byte[] bytes) {
    int slash = prefix.lastIndexOf('/');
    String subfolder = slash < 0 ? "" : prefix.substring(0, slash);
    String stem = prefix.substring(slash + 1);
    Path folder =
        inside(kind, subfolder)
            .orElseThrow(
                () -> new IllegalArgumentException("Saving image outside the output folder"));
    try {
      Files.createDirectories(folder);
      String name = "%s_%05d_.%s".formatted(stem, nextNumber(folder, stem), ending);
      Files.write(folder.resolve(name), bytes);
      return Json.object("filename", name, "subfolder", subfolder, "type", kind);
    } catch (IOException e) {
      throw new UncheckedIOException("could not save in " + folder, e);
    }
  }

  private static int nextNumber(Path folder, String stem) throws IOException {
    Pattern numbered = Pattern.compile(Pattern.quote(stem) + "_(\\d+)_\\..*");
    try (Stream<Path> files = Files.list(folder)) {
      return 1
          + files
              .map(file -> numbered.matcher(file.getFileName().toString()))
              .filter(Matcher::matches)
              .mapToInt(matcher -> Integer.parseInt(matcher.group(1)))
              .max()
              .orElse(0);
    }
  }

  /** Keeps an upload; another picture of that name makes the name change. */
  Map<String, @Nullable Object> upload(
      String kind, String subfolder, String fileName, boolean overwrite, byte[] bytes) {
    Path folder =
        inside(kind, subfolder).orElseThrow(() -> new IllegalArgumentException("bad folder"));
    String plain = Path.of(fileName).getFileName().toString();
    int dot = plain.lastIndexOf('.');
    String stem = dot < 0 ? plain : plain.substring(0, dot);
    String ending = dot < 0 ? "" : plain.substring(dot);
    try {
      Files.createDirectories(folder);
      Path file = folder.resolve(plain);
      for (int i = 1; !overwrite && isAnother(file, bytes); i++) {
        file = folder.resolve(stem + " (" + i + ")" + ending);
      }
      Files.write(file, bytes);
      return Json.object(
          "name", file.getFileName().toString(), "subfolder", subfolder, "type", kind);
    } catch (IOException e) {
      throw new UncheckedIOException("could not keep the upload " + plain, e);
    }
  }

  private static boolean isAnother(Path file, byte[] bytes) throws IOException {
    return Files.exists(file) && !Arrays.equals(Files.readAllBytes(file), bytes);
  }

  /** The bytes of an uploaded picture as LoadImage names it, {@code sub/name.png} included. */
  Optional<byte[]> input(String name) {
    return read("input", "", name);
  }

  /** Empty when there is no such file, or when it would lie outside. */
  Optional<byte[]> read(String kind, String subfolder, String name) {
    Optional<Path> file =
        inside(kind, subfolder)
            .map(folder -> folder.resolve(name).normalize())
            .filter(path -> path.startsWith(base.resolve(kind)) && Files.isRegularFile(path));
    try {
      return file.isEmpty() ? Optional.empty() : Optional.of(Files.readAllBytes(file.get()));
    } catch (IOException e) {
      throw new UncheckedIOException("could not read " + name, e);
    }
  }

  /** The folder; empty when it is of no known kind or lies outside. */
  Optional<Path> inside(String kind, String subfolder) {
    if (!KINDS.contains(kind)) {
      return Optional.empty();
    }
    Path root = base.resolve(kind);
    return Optional.of(root.resolve(subfolder).normalize()).filter(path -> path.startsWith(root));
  }
}
