package io.sluice.launcher.client;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.PrintStream;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Says why a VM has the size that it has, or why a node is as it is. */
@Command(
        name = "why",
        description = "Says why a VM has the size that it has, or why a node is as it is.",
        mixinStandardHelpOptions = true)
public final class WhyCommand implements Callable<Integer> {
    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss", Locale.ROOT).withZone(ZoneId.systemDefault());

    @Parameters(index = "0", paramLabel = "vm|node", description = "what NAME names")
    private Subject subject;

    @Parameters(index = "1", paramLabel = "NAME", description = "a VM as NAME or NAMESPACE/NAME, or a node")
    private String name;

    @Option(names = "--at", paramLabel = "TIME", description = "as of then, such as 2026-11-21T03:00:00Z")
    private Optional<Instant> at;

    @Option(
            names = "--limit",
            paramLabel = "N",
            defaultValue = "20",
            description = "at most so many reasons, the newest; ${DEFAULT-VALUE} where it is not given")
    private int limit;

    @Mixin
    private DoorOptions door;

    private final PrintStream out = System.out;

    /** What can be asked about. */
    enum Subject {
        /** A VM. */
        VM,
        /** A node. */
        NODE
    }

    @Override
    public Integer call() {
        var path = "api/why/" + subject.name().toLowerCase(Locale.ROOT) + "/" + encoded(name)
                + at.map(time -> "?at=" + DoorClient.encoded(time.toString())).orElse("");
        print(door.client().json(path));
        return 0;
    }

    /** A VM's name may have a namespace before it, which is a segment of its own. */
    private static String encoded(String name) {
        return DoorClient.encoded(name).replace("%2F", "/");
    }

    private void print(JsonNode why) {
        out.println(why.path("now").asText());
        why.path("reasons").valueStream().limit(limit).forEach(reason -> out.println("  " + line(reason)));
        int more = why.path("reasons").size() - limit;
        if (more > 0) {
            out.println("  and " + more + " before that: --limit shows more");
        }
    }

    private static String line(JsonNode reason) {
        var sizes = reason.path("from").isArray() || reason.path("to").isArray()
                ? Amounts.text(reason.path("from")) + " -> " + Amounts.text(reason.path("to")) + "  "
                : "";
        return "%s  %-12s  %s%s"
                .formatted(
                        TIME.format(Instant.ofEpochMilli(reason.path("at").asLong())),
                        reason.path("kind").asText().toLowerCase(Locale.ROOT).replace('_', ' '),
                        sizes,
                        reason.path("reason").asText());
    }
}
