package dev.swapgate.gate.sim;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import javax.tools.DiagnosticCollector;
import javax.tools.FileObject;
import javax.tools.ForwardingJavaFileManager;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileManager;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/**
 * A second gate in this JVM, with the simulation around it, in which one source file of the gate is
 * changed. What is not changed is loaded from the same class files.
 */
final class VariantLoader extends ClassLoader {
  private static final String GATE = "dev.swapgate.gate.";
  private static final Path SOURCES = Path.of("src/main/java/dev/swapgate/gate");

  private final Map<String, byte[]> changed;

  VariantLoader(Variant variant) throws IOException {
    super(VariantLoader.class.getClassLoader());
    this.changed = compile(variant);
  }

  /** The first seed of so many by which the simulation notices; 0 when it does not. */
  long firstCaught(long seeds) throws ReflectiveOperationException {
    return (long)
        loadClass(GATE + "sim.Campaign")
            .getDeclaredMethod("firstBroken", long.class)
            .invoke(null, seeds);
  }

  private static Map<String, byte[]> compile(Variant variant) throws IOException {
    Path file = SOURCES.resolve(variant.file + ".java");
    String source = Files.readString(file);
    String wrong = source.replace(variant.right, variant.wrong);
    if (wrong.equals(source)) {
      throw new IllegalStateException(
          variant + " looks in " + file + " for what is not there any more: " + variant.right);
    }
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    DiagnosticCollector<JavaFileObject> problems = new DiagnosticCollector<>();
    try (Kept kept = new Kept(compiler.getStandardFileManager(problems, null, null))) {
      boolean compiled =
          compiler
              .getTask(
                  null,
                  kept,
                  problems,
                  List.of("-proc:none", "-cp", System.getProperty("java.class.path")),
                  null,
                  List.of(new Source(file.toUri(), wrong)))
              .call();
      if (!compiled) {
        throw new IllegalStateException(variant + ": " + problems.getDiagnostics());
      }
      Map<String, byte[]> classes = new HashMap<>();
      kept.classes.forEach((name, bytes) -> classes.put(name, bytes.toByteArray()));
      return classes;
    }
  }

  @Override
  protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
    if (!name.startsWith(GATE)) {
      return super.loadClass(name, resolve);
    }
    synchronized (getClassLoadingLock(name)) {
      Class<?> loaded = findLoadedClass(name);
      return loaded != null ? loaded : define(name);
    }
  }

  private Class<?> define(String name) throws ClassNotFoundException {
    byte[] bytes = changed.get(name);
    if (bytes == null) {
      try (InputStream in = getParent().getResourceAsStream(name.replace('.', '/') + ".class")) {
        if (in == null) {
          throw new ClassNotFoundException(name);
        }
        bytes = in.readAllBytes();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
    return defineClass(name, bytes, 0, bytes.length);
  }

  private static final class Source extends SimpleJavaFileObject {
    private final String text;

    Source(URI uri, String text) {
      super(uri, Kind.SOURCE);
      this.text = text;
    }

    @Override
    public CharSequence getCharContent(boolean ignoreEncodingErrors) {
      return text;
    }
  }

  /** Keeps the classes in memory. */
  private static final class Kept extends ForwardingJavaFileManager<StandardJavaFileManager> {
    private final Map<String, ByteArrayOutputStream> classes = new HashMap<>();

    Kept(StandardJavaFileManager files) {
      super(files);
    }

    @Override
    public JavaFileObject getJavaFileForOutput(
        JavaFileManager.Location location,
        String className,
        JavaFileObject.Kind kind,
        FileObject sibling) {
      ByteArrayOutputStream bytes = new ByteArrayOutputStream();
      classes.put(className, bytes);
      URI uri = URI.create("memory:///" + className.replace('.', '/') + ".class");
      return new SimpleJavaFileObject(uri, kind) {
        @Override
        public OutputStream openOutputStream() {
          return bytes;
        }
      };
    }
  }
}
