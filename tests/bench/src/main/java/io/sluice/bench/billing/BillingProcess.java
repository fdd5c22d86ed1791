package io.sluice.bench.billing;

import com.sun.management.OperatingSystemMXBean;
import io.micrometer.core.instrument.MeterRegistry;
import io.sluice.bench.measurement.Child;
import io.sluice.bench.measurement.Config;
import io.sluice.bench.measurement.WorkerTimes;
import io.sluice.billing.BillingVerticle;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.Map;

/**
 * The process that {@link BillingBench} measures: it bills VMs that it observes from a source of its own. It executes
 * its parent's orders and replies to each with its figures. {@code look} only replies; {@code tasks} adds what the
 * outbox did since the last such order; {@code weigh} replies after garbage collections; {@code quiet} stops billing;
 * {@code loud} resumes it; {@code end} ends the process.
 */
final class BillingProcess {
    private static final int COLLECTIONS = 5;
    private static final long BETWEEN_COLLECTIONS_MS = 100;
    private static final String STORE = "billing-outbox";
    private static final String OUTBOX_MAX = "4GiB";

    private final MeterRegistry meters;
    private final WorkerTimes store;
    private final Copies copies;

    private BillingProcess(MeterRegistry meters, WorkerTimes store, Copies copies) {
        this.meters = meters;
        this.copies = copies;
        this.store = store;
    }

    /**
     * Takes a folder, the receiver's URL, the number of VMs, the length of windows, the interval of looks and whether
     * it leads others.
     */
    public static void main(String[] arguments) throws IOException, InterruptedException {
        int vms = Integer.parseInt(arguments[2]);
        var window = arguments[3];
        var look = arguments[4];
        var config = Config.with(Map.of(
                "sluice.billing.directory",
                arguments[0],
                "sluice.billing.outbox.maxSize",
                OUTBOX_MAX,
                "sluice.billing.file.directory",
                "",
                "sluice.billing.http.url",
                arguments[1],
                "sluice.billing.accumulateEvery",
                window + "ms",
                "sluice.billing.collectEvery",
                look + "ms"));
        var copies = new Copies();
        boolean leads = Boolean.parseBoolean(arguments[5]);
        var shell = leads ? Config.shell().among(copies, copies) : Config.shell();
        var store = new WorkerTimes(STORE);
        var vertx = Vertx.builder().withMetrics(store).build();
        var deployed = Config.done(vertx.deployVerticle(new BillingVerticle(config.billing(), shell)));
        var publisher = new BillingSource(vms, Math.min(1000, Long.parseLong(window) / 2));
        Config.done(vertx.deployVerticle(publisher));
        var process = new BillingProcess(shell.meters(), store, copies);
        for (var order = Child.order(); order.isPresent(); order = Child.order()) {
            switch (order.get()) {
                case "look" -> Child.report(process.look().encode());
                case "tasks" -> Child.report(process.tasks().encode());
                case "weigh" -> Child.report(process.weigh().encode());
                case "quiet" -> {
                    publisher.quiet();
                    Child.report(process.look().encode());
                }
                case "loud" -> {
                    publisher.loud();
                    Child.report(process.look().encode());
                }
                case "end" -> {
                    Config.done(vertx.undeploy(deployed));
                    Child.report(process.look().encode());
                }
                default -> throw new IllegalArgumentException(order.get());
            }
        }
        System.exit(0);
    }

    private JsonObject look() {
        return new JsonObject()
                .put("nanos", System.nanoTime())
                .put("cpuNanos", cpuNanos())
                .put("metered", (long) gauge("sluice.billing.vms.metered"))
                .put(
                        "made",
                        2
                                * (long) meters.get("sluice.billing.records")
                                        .counter()
                                        .count())
                .put("givenUp", (long) gauge("sluice.billing.records.given.up"))
                .put("waiting", (long) gauge("autoscaling_agent_billing_queue_size"))
                .put("bytes", (long) gauge("sluice.billing.outbox.bytes"))
                .put("busyNanos", store.busyNanos())
                .put("loops", threadNanos("vert.x-eventloop"))
                .put("outbox", threadNanos("billing-outbox"))
                .put("sinks", threadNanos("billing-sinks") + threadNanos("HttpClient"));
    }

    /** CPU time of the live threads whose names begin with the prefix. */
    private static long threadNanos(String prefix) {
        var threads = ManagementFactory.getThreadMXBean();
        return Arrays.stream(threads.getThreadInfo(threads.getAllThreadIds()))
                .filter(thread -> thread != null && thread.getThreadName().startsWith(prefix))
                .mapToLong(thread -> Math.max(0, threads.getThreadCpuTime(thread.getThreadId())))
                .sum();
    }

    private JsonObject tasks() {
        var tasks = store.take();
        return look().put("tasks", tasks.count())
                .put("taskP50Ms", tasks.count() > 0 ? tasks.ms(0.5) : 0)
                .put("taskP99Ms", tasks.count() > 0 ? tasks.ms(0.99) : 0);
    }

    /** Measures memory. It is the least after several collections: while it bills, a batch is always under way. */
    private JsonObject weigh() throws InterruptedException {
        long least = Long.MAX_VALUE;
        for (int i = 0; i < COLLECTIONS; i++) {
            Thread.sleep(BETWEEN_COLLECTIONS_MS);
            System.gc();
            least = Math.min(
                    least,
                    ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed());
        }
        return look().put("heap", least).put("copies", copies.bytes());
    }

    private double gauge(String name) {
        return meters.get(name).gauge().value();
    }

    private static long cpuNanos() {
        return ((OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean()).getProcessCpuTime();
    }
}
