import com.palantir.javaformat.java.Formatter;
import com.palantir.javaformat.java.FormatterException;
import com.palantir.javaformat.java.JavaFormatterOptions;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
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

    /** The digests of texts that this formatter on this JDK left as they were, so that none is formatted twice. */
    private static final Set<String> KNOWN = ConcurrentHashMap.newKeySet();

    private static final Set<String> MET = ConcurrentHashMap.newKeySet();

    private Format() {}

    /** Takes {@code check} or {@code apply}, the folder, and the file of what is known to be formatted. */
    public static void main(String[] arguments) throws IOException {
        boolean apply = arguments[0].equals("apply");
        var top = Path.of(arguments[1]).toAbsolutePath().normalize();
        var known = Path.of(arguments[2]);
        if (Files.isReadable(known)) {
            KNOWN.addAll(Files.readAllLines(known));
        }
        var sources = sources(top);
        var wrong = sources.parallelStream()
                .filter(source -> differs(source, apply))
                .sorted()
                .toList();
        Files.createDirectories(known.getParent());
        Files.write(known, MET.stream().sorted().toList());
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
            if (KNOWN.contains(digest(text))) {
                MET.add(digest(text));
                return false;
            }
            var formatted = FORMATTER.formatSourceAndFixImports(text);
            if (formatted.equals(text)) {
                MET.add(digest(text));
                return false;
            }
            if (apply) {
                Files.writeString(source, formatted);
            }
            return true;
        } catch (FormatterException unreadable) {
            System.out.println(source + ": " + unreadable.getMessage()
                    + " (the formatter knows no bare _ in a pattern: write var _)");
            return !apply;
        } catch (IOException lost) {
            throw new UncheckedIOException("cannot format " + source, lost);
        }
    }

    /** Of a text and of what formats it: another formatter or JDK knows none of them. */
    private static String digest(String text) {
        var jar = Formatter.class
                .getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .getPath();
        var formatter = Path.of(jar).getFileName() + " " + Runtime.version();
        try {
            var digest = MessageDigest.getInstance("SHA-256");
            digest.update(formatter.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(digest.digest(text.getBytes(StandardCharsets.UTF_8)));
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException(impossible);
        }
    }
}
