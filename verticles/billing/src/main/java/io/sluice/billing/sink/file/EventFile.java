package io.sluice.billing.sink.file;

import io.sluice.billing.sink.EventKind;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Comparator;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * A file with events, such as {@code usage-2025-03-04T050607Z-000001.ndjson}.
 *
 * @param path path of the file
 * @param number grows from file to file, so that their order does not depend on a clock
 */
record EventFile(Path path, long number) {
    /** Oldest first. */
    static final Comparator<EventFile> ORDER =
            Comparator.comparingLong(EventFile::number).thenComparing(EventFile::path);

    private static final DateTimeFormatter BEGUN =
            DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HHmmss'Z'").withZone(ZoneOffset.UTC);
    private static final Pattern REST = Pattern.compile("-\\d{4}-\\d\\d-\\d\\dT\\d{6}Z-(\\d{6,15})\\.ndjson");

    /** Returns the first part of the names of files with that kind of events. */
    static String word(EventKind kind) {
        return switch (kind) {
            case BILLING -> "usage";
            case SCALING_EVENTS -> "scaling";
            case ACCOUNT -> "account";
        };
    }

    /** Returns the file with that path; empty if the name has another form. */
    static Optional<EventFile> of(EventKind kind, Path path) {
        var name = path.getFileName().toString();
        var word = word(kind);
        if (!name.startsWith(word)) {
            return Optional.empty();
        }
        var rest = REST.matcher(name.substring(word.length()));
        return rest.matches() ? Optional.of(new EventFile(path, Long.parseLong(rest.group(1)))) : Optional.empty();
    }

    /** Returns a new file; {@code begun} is when its first batch was closed. */
    static EventFile named(EventKind kind, Path directory, Instant begun, long number) {
        var name = String.format(Locale.ROOT, "%s-%s-%06d.ndjson", word(kind), BEGUN.format(begun), number);
        return new EventFile(directory.resolve(name), number);
    }
}
