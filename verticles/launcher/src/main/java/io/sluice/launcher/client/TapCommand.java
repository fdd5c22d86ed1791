package io.sluice.launcher.client;

import java.io.IOException;
import java.io.PrintStream;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Prints the messages on the bus of a running process as they are sent and received. */
@Command(
        name = "tap",
        description =
                "Prints the messages on the bus of a running process and of all others joined with it, until Ctrl-C.",
        mixinStandardHelpOptions = true)
public final class TapCommand implements Callable<Integer> {
    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("HH:mm:ss.SSSX", Locale.ROOT).withZone(ZoneOffset.UTC);

    @Option(names = "--vm", paramLabel = "NAME", description = "only messages about this VM; * stands for anything")
    private Optional<String> vm;

    @Option(names = "--node", paramLabel = "NAME", description = "only messages about this node; * stands for anything")
    private Optional<String> node;

    @Option(names = "--address", paramLabel = "ADDRESS", description = "only this address, such as ledger.*")
    private Optional<String> address;

    @Option(names = "--kind", paramLabel = "KIND", description = "only request, reply or event")
    private Optional<String> kind;

    @Option(names = "--count", paramLabel = "N", description = "end after N messages")
    private Optional<Integer> count;

    @Option(names = "--json", description = "print each message as one line of JSON")
    private boolean json;

    @Mixin
    private ConsoleOptions console;

    private final PrintStream out = System.out;
    private final Map<String, String> missing = new HashMap<>();
    private final Map<String, Long> gaps = new HashMap<>();

    @Override
    public Integer call() {
        try {
            follow();
        } catch (IOException ended) {
            throw new ConsoleException("the tap ended: " + ended.getMessage(), ended);
        }
        return 0;
    }

    private String path() {
        var filters = new ArrayList<String>();
        add(filters, "vm", vm);
        add(filters, "node", node);
        add(filters, "address", address);
        add(filters, "kind", kind);
        return "api/tap?" + String.join("&", filters);
    }

    private static void add(List<String> filters, String name, Optional<String> value) {
        value.ifPresent(given -> filters.add(name + "=" + ConsoleClient.encoded(given)));
    }

    private void follow() throws IOException {
        var left = new AtomicInteger(count.orElse(Integer.MAX_VALUE));
        if (left.get() > 0) {
            console.client().events(path(), (event, data) -> left.addAndGet(-show(event, data)) > 0);
        }
    }

    /** Prints one event of the stream. Returns the number of bus messages in it: one or none. */
    private int show(String event, String data) throws IOException {
        var read = Json.read(data);
        if (event.equals("dropped")) {
            System.err.println("sluice: " + read.path("dropped").number() + " messages were dropped so far"
                    + droppedWhere(read.path("members")));
            return 0;
        }
        if (event.equals("members")) {
            read.path("members").values().forEach(this::printTaps);
            return 0;
        }
        out.println(json ? data : line(read));
        return 1;
    }

    private static String droppedWhere(Json members) {
        var where = members.fields().entrySet().stream()
                .filter(member -> member.getValue().number() > 0)
                .map(member -> member.getValue().number() + " in " + member.getKey())
                .collect(Collectors.joining(", "));
        return where.isEmpty() ? "" : ": " + where;
    }

    /** Reports changes alone: a process that sends its messages from the start is not mentioned. */
    private void printTaps(Json member) {
        var id = member.path("id").text();
        var reason = member.path("reason").text();
        if (!reason.equals(missing.getOrDefault(id, ""))) {
            System.err.println("sluice: " + id
                    + (reason.isEmpty() ? " sends its messages again" : " does not send its messages: " + reason));
        }
        missing.put(id, reason);
        long missed = member.path("gaps").number();
        if (missed > gaps.getOrDefault(id, 0L)) {
            System.err.println("sluice: some messages in " + id + " were missed");
        }
        gaps.put(id, missed);
    }

    private static String line(Json message) {
        var latency = message.path("latencyMicros").isNumber()
                ? message.path("latencyMicros").number() + " us"
                : "";
        var body = message.path("failed").isText()
                ? "no reply: " + message.path("failed").text()
                : message.path("body").toString();
        var where = message.path("process").text();
        return (where.isEmpty() ? "" : "%-8.8s ".formatted(where))
                + "%s %-7s %-3s %-26s %6d B %10s  %s"
                        .formatted(
                                TIME.format(
                                        Instant.ofEpochMilli(message.path("at").number())),
                                message.path("kind").text(),
                                message.path("direction").text(),
                                message.path("address").text(),
                                message.path("bytes").number(),
                                latency,
                                body);
    }
}
