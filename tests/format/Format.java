import com.palantir.javaformat.java.Formatter;
import com.palantir.javaformat.java.FormatterException;
import com.palantir.javaformat.java.JavaFormatterOptions;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * Checks or applies the one formatting of all Java sources below a folder. Run from source, on the JDK whose language
 * the sources are written in: the formatter parses with the compiler of the JDK that it runs on.
 */
final class Format {
    private static final Formatter FORMATTER = Formatter.createFormatter(JavaFormatterOptions.builder()
            .style(JavaFormatterOptions.Style.PALANTIR)
            .formatJavadoc(true)
            .build());

    private Format() {}

    /** Takes {@code check} or {@code apply}, and the folder. */
    public static void main(String[] arguments) throws IOException {
        boolean apply = arguments[0].equals("apply");
        var top = Path.of(arguments[1]).toAbsolutePath().normalize();
        var sources = sources(top);
        var wrong = sources.parallelStream()
                .filter(source -> differs(source, apply))
                .sorted()
                .toList();
        wrong.forEach(
                source -> System.out.println((apply ? "formatted " : "not formatted: ") + top.relativize(source)));
        if (sources.isEmpty()) {
            System.out.println("There are no Java sources below " + top + ".");
            System.exit(1);
        }
        if (!wrong.isEmpty() && !apply) {
            System.out.println("Run mvn -Pformat to format them.");
            System.exit(1);
        }
    }

    private static List<Path> sources(Path top) throws IOException {
        try (Stream<Path> files = Files.walk(top)) {
            return files.filter(file -> file.toString().endsWith(".java"))
                    .filter(file -> Stream.of("target", ".git").noneMatch(name -> contains(top.relativize(file), name)))
                    .toList();
        }
    }

    private static boolean contains(Path path, String name) {
        for (var part : path) {
            if (part.toString().equals(name)) {
                return true;
            }
        }
        return false;
    }

    private static boolean differs(Path source, boolean apply) {
        try {
            var text = Files.readString(source);
            var formatted = FORMATTER.formatSourceAndFixImports(text);
            if (apply && !formatted.equals(text)) {
                Files.writeString(source, formatted);
            }
            return !formatted.equals(text);
        } catch (FormatterException unreadable) {
            System.out.println(source + ": " + unreadable.getMessage()
                    + " (the formatter knows no bare _ in a pattern: write var _)");
            return !apply;
        } catch (IOException lost) {
            throw new UncheckedIOException("cannot format " + source, lost);
        }
    }
}
