package io.sluice.launcher.client;

import java.io.PrintStream;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.TypeConversionException;

/** Prints why a VM has its size, a node is in its state, or a pod or gang waits. */
@Command(
        name = "why",
        description = "Prints why a VM has its size, a node is in its state, or a pod or gang waits.",
        mixinStandardHelpOptions = true)
public final class WhyCommand implements Callable<Integer> {
    @Parameters(
            index = "0",
            paramLabel = "vm|node|pod|gang",
            converter = SubjectText.class,
            description = "the kind of NAME")
    private Subject subject;

    @Parameters(
            index = "1",
            paramLabel = "NAME",
            description = "a VM or pod as NAME or NAMESPACE/NAME, a node, or a gang as NAMESPACE/NAME")
    private String name;

    @Option(
            names = "--at",
            paramLabel = "TIME",
            converter = TimeText.class,
            description = "the time of the explanation, such as 2026-11-21T03:00:00Z")
    private Optional<Instant> at;

    @Option(
            names = "--limit",
            paramLabel = "N",
            defaultValue = "20",
            converter = Limit.class,
            description = "the most reasons, the newest; by default ${DEFAULT-VALUE}")
    private int limit;

    @Mixin
    private ConsoleOptions console;

    @Mixin
    private OutputOption output;

    private final PrintStream out = System.out;

    /** What can be explained. */
    enum Subject {
        /** A VM. */
        VM,
        /** A node. */
        NODE,
        /** A pod that is or was to be placed. */
        POD,
        /** Pods that start together. */
        GANG
    }

    /** Parses the kind of what is explained. */
    static final class SubjectText implements ITypeConverter<Subject> {
        @Override
        public Subject convert(String text) {
            return Stream.of(Subject.values())
                    .filter(subject -> subject.name().equalsIgnoreCase(text))
                    .findFirst()
                    .orElseThrow(() -> new TypeConversionException("'" + text
                            + "' is not vm, node, pod or gang; for a VM of that name: sluice why vm " + text));
        }
    }

    /** Parses the number of reasons. */
    static final class Limit implements ITypeConverter<Integer> {
        @Override
        public Integer convert(String text) {
            if (!text.matches("\\d{1,9}")) {
                throw new TypeConversionException("'" + text + "' is no whole number of at least 0");
            }
            return Integer.valueOf(text);
        }
    }

    @Override
    public Integer call() {
        var why = console.client()
                .json(path(subject.name().toLowerCase(Locale.ROOT), name)
                        + at.map(time -> "?at=" + ConsoleClient.encoded(time.toString()))
                                .orElse(""));
        if (output.isTable()) {
            lines(why, limit, subject == Subject.VM).forEach(out::println);
        } else {
            output.print(why, out);
        }
        return 0;
    }

    /** The path of an explanation, with the namespace of its subject as a segment of its own. */
    static String path(String subject, String name) {
        return "api/why/" + subject + "/" + ConsoleClient.encoded(name).replace("%2F", "/");
    }

    /**
     * The lines of an explanation.
     *
     * @param limit the most reasons
     * @param ofVm whether all reasons are of one VM, which none of them names then
     */
    static List<String> lines(Json why, int limit, boolean ofVm) {
        var lines = new ArrayList<String>();
        lines.add(why.path("now").text());
        var driver = why.path("subject").path("driver").text();
        if (!driver.isEmpty()) {
            lines.add("its driver is " + driver);
        }
        Stream.of(why.path("helps").path("text"), why.path("target").path("text"), why.path("stays"))
                .map(Json::text)
                .filter(line -> !line.isEmpty())
                .forEach(lines::add);
        why.path("reasons").values().stream().limit(limit).forEach(reason -> lines.add("  " + line(reason, ofVm)));
        int more = why.path("reasons").values().size() - limit;
        if (more > 0) {
            lines.add("  and " + more + " before that; a larger --limit shows them");
        }
        return lines;
    }

    /** One reason as a line. Times are in UTC, as in the log and for {@code --at}; a node's reasons name their VM. */
    private static String line(Json reason, boolean ofVm) {
        var named = reason.path("vm").text();
        var vm = ofVm || named.isEmpty() ? "" : named + "  ";
        var repeats = reason.path("repeats").text();
        return "%s  %-14s  %s%s%s%s"
                .formatted(
                        Instant.ofEpochMilli(reason.path("at").number()).truncatedTo(ChronoUnit.SECONDS),
                        reason.path("kind").text().toLowerCase(Locale.ROOT).replace('_', ' '),
                        vm,
                        fromTo(reason),
                        repeats.isEmpty() ? "" : repeats + ", last: ",
                        reason.path("reason").text());
    }

    private static String fromTo(Json reason) {
        if (!reason.path("toNode").text().isEmpty()) {
            return reason.path("node").text() + " -> " + reason.path("toNode").text() + "  ";
        }
        return reason.path("from").isList() || reason.path("to").isList()
                ? Amounts.text(reason.path("from")) + " -> " + Amounts.text(reason.path("to")) + "  "
                : "";
    }
}
