package io.sluice.bench.billing;

import io.sluice.billing.wire.UnreadableEventException;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * A process that bills while its sink is down. It measures how many events it accepts, and the memory and disk that a
 * million waiting events take. Then it measures how fast they are sent once the sink is up again, and checks that each
 * arrived. Windows are short, so that a million events accumulate soon.
 */
public final class BillingBench {
    private static final long WARM_UP_MS = 8_000;
    private static final long MEASURED_MS = 10_000;
    private static final long SETTLED_MS = 2_000;
    private static final int WINDOWS_AFTERWARDS = 10;
    private static final long[] WAITING = {100_000, 500_000, 1_000_000};
    private static final double MIB = 1 << 20;
    private static final double SECOND = 1e9;
    private static final double MICROSECOND = 1e3;
    private static final String RATES = """

        | sink | events/s | CPUs | CPU us an event | outbox busy % | its tasks/s | p50 ms | p99 ms |
        |---|---|---|---|---|---|---|---|
        """;
    private static final String WEIGHTS = """

        | when | events that wait | heap MiB | RSS MiB | their bytes MiB | file MiB |
        |---|---|---|---|---|---|
        """;
    private static final String DRAINED = """

        | events that waited | 503s before | until the first s | until the last s | events/s | CPU us an event | \
        outbox busy % | its tasks p50 ms | p99 ms |
        |---|---|---|---|---|---|---|---|---|
        """;
    private static final String VERIFIED = """

        | events made | left | taken, each key once | repeats | their values |
        |---|---|---|---|---|
        """;

    private final BillingSubject subject;
    private final List<String> rates = new ArrayList<>();
    private final List<String> weights = new ArrayList<>();

    private BillingBench(BillingSubject subject) {
        this.subject = subject;
    }

    /** Takes the number of VMs, the length of their windows in milliseconds, and the heap of the process. */
    public static void main(String[] arguments) throws IOException, InterruptedException, UnreadableEventException {
        int vms = Integer.parseInt(arguments[0]);
        long window = Long.parseLong(arguments[1]);
        System.out.println(vms + " VMs, windows of " + window + " ms, -Xmx" + arguments[2]);
        try (var subject = BillingSubject.start(arguments[2], vms, window, window, false)) {
            new BillingBench(subject).run(2L * vms * WINDOWS_AFTERWARDS);
        }
        System.exit(0);
    }

    private void run(long afterwards) throws IOException, InterruptedException, UnreadableEventException {
        subject.awaitListed();
        Thread.sleep(WARM_UP_MS);
        rates.add(segment("up", () -> Thread.sleep(MEASURED_MS)));
        weigh("up");
        subject.receiver().goesDown();
        long before = subject.request("look").getLong("waiting");
        for (long more : WAITING) {
            rates.add(segment("down, until " + more + " more wait", () -> untilWaiting(before + more)));
            weigh("down");
        }
        var drained = drain();
        weigh("drained");
        goOn(afterwards);
        weigh(WINDOWS_AFTERWARDS + " windows later");
        System.out.println(RATES + String.join("\n", rates));
        System.out.println(WEIGHTS + String.join("\n", weights));
        System.out.println(DRAINED + drained);
        System.out.println(VERIFIED + verify());
    }

    private interface Phase {
        void run() throws IOException, InterruptedException;
    }

    private void untilWaiting(long events) throws IOException, InterruptedException {
        subject.awaitUntil(look -> look.getLong("waiting") >= events);
    }

    private String segment(String sink, Phase phase) throws IOException, InterruptedException {
        var before = subject.request("tasks");
        phase.run();
        var after = subject.request("tasks");
        double seconds = BillingSubject.difference("nanos", before, after) / SECOND;
        double events = BillingSubject.difference("made", before, after);
        double cpu = BillingSubject.difference("cpuNanos", before, after);
        return row(
                "%s | %.0f | %.2f | %.1f | %.0f | %.1f | %.1f | %.1f",
                sink,
                events / seconds,
                cpu / SECOND / seconds,
                cpu / MICROSECOND / events,
                busyPercent(before, after, seconds),
                after.getLong("tasks") / seconds,
                after.getDouble("taskP50Ms"),
                after.getDouble("taskP99Ms"));
    }

    private static double busyPercent(JsonObject before, JsonObject after, double seconds) {
        return 100 * BillingSubject.difference("busyNanos", before, after) / SECOND / seconds;
    }

    private void weigh(String when) throws IOException {
        var scales = subject.request("weigh");
        weights.add(row(
                "%s | %d | %.1f | %.0f | %.0f | %.0f",
                when,
                scales.getLong("waiting"),
                scales.getLong("heap") / MIB,
                subject.residentMiB(),
                scales.getLong("bytes") / MIB,
                subject.fileBytes() / MIB));
    }

    /** Sends all waiting events while no new ones are made. */
    private String drain() throws IOException, InterruptedException {
        subject.request("quiet");
        Thread.sleep(SETTLED_MS);
        var before = subject.request("tasks");
        long waiting = before.getLong("waiting");
        long up = System.nanoTime();
        long first = subject.receiver().comesUp();
        subject.awaitUntil(look -> look.getLong("waiting") == 0);
        double seconds = (System.nanoTime() - first) / SECOND;
        var after = subject.request("tasks");
        return row(
                "%d | %d | %.1f | %.1f | %.0f | %.1f | %.0f | %.1f | %.1f",
                waiting,
                subject.receiver().refused(),
                (first - up) / SECOND,
                seconds,
                waiting / seconds,
                BillingSubject.difference("cpuNanos", before, after) / MICROSECOND / waiting,
                busyPercent(before, after, seconds),
                after.getDouble("taskP50Ms"),
                after.getDouble("taskP99Ms"));
    }

    /** Makes events for some time more: the file becomes shorter only when later writes compact it. */
    private void goOn(long events) throws IOException, InterruptedException {
        long made = subject.request("loud").getLong("made");
        subject.awaitUntil(look -> look.getLong("made") >= made + events);
        subject.request("quiet");
        Thread.sleep(SETTLED_MS);
        subject.awaitUntil(look -> look.getLong("waiting") == 0);
    }

    private String verify() throws IOException, UnreadableEventException {
        var last = subject.request("end");
        var audit = subject.taken();
        long sent = last.getLong("made") - last.getLong("waiting");
        if (audit.events() != sent) {
            throw new IllegalStateException(sent + " were accepted and sent, " + audit.events() + " came");
        }
        return row(
                "%d | %d | %d | %d | %d",
                last.getLong("made"), last.getLong("waiting"), audit.events(), audit.repeats(), audit.value());
    }

    private static String row(String columns, Object... values) {
        return "| " + String.format(Locale.ROOT, columns, values) + " |";
    }
}
