package io.sluice.bench;

import com.sun.management.OperatingSystemMXBean;
import io.sluice.bench.measurement.Child;
import io.sluice.bench.measurement.Config;
import io.sluice.bus.Bus;
import io.sluice.bus.ClusterAddresses;
import io.sluice.bus.LedgerAddresses;
import io.sluice.messages.cluster.RelistRequest;
import io.sluice.messages.ledger.LoadReply;
import io.sluice.neonvm.api.KubernetesConnection;
import io.sluice.neonvm.watch.ClusterVerticle;
import io.sluice.shell.Shell;
import io.vertx.core.Deployable;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;

/**
 * The process that {@link ObservationsBench} measures: the role {@code cluster}, and on its bus a ledger that accepts
 * all.
 */
final class ObservationsProcess {
    private static final int KINDS = 4;
    private static final int COLLECTIONS = 3;
    private static final long LOOK_EVERY_MS = 20;
    private static final long QUIET_MS = 3_000;
    private static final int OBJECTS = 75_000;

    private ObservationsProcess() {}

    /** Takes the API server's URL, and one node to observe, or {@code cluster} for all. */
    public static void main(String[] arguments) throws Exception {
        var shell = Config.shell();
        var vertx = Vertx.vertx();
        var bus = new Bus(vertx);
        var config = Config.with(Map.of("sluice.kubernetes.relistEvery", "1h"));
        var kubernetes = config.kubernetes().at(arguments[0]);
        Config.done(bus.serve(
                LedgerAddresses.LOAD_NODE,
                load -> Future.succeededFuture(new LoadReply(load.pods().size(), 0))));
        var client = KubernetesConnection.open(kubernetes, shell.meters());
        long before = heapKept();
        long begun = System.nanoTime();
        Deployable verticle = arguments[1].equals("cluster")
                ? new ClusterVerticle(config.cluster(), kubernetes, shell, client)
                : ClusterVerticle.ofNode(arguments[1], config.cluster(), kubernetes, shell, client);
        Config.done(vertx.deployVerticle(verticle));
        until(() -> shell.readiness().isReady() && watches(shell) == KINDS);
        double ready = secondsSince(begun);
        Thread.sleep(QUIET_MS);
        long after = heapKept();

        pools().forEach(MemoryPoolMXBean::resetPeakUsage);
        double cpu = cpuSeconds();
        var listed = new AtomicBoolean();
        Config.done(bus.subscribe(ClusterAddresses.LISTED, through -> listed.set(true)));
        begun = System.nanoTime();
        bus.publish(ClusterAddresses.RELIST_WANTED, new RelistRequest("bench"));
        until(listed::get);
        double again = secondsSince(begun);
        long most = pools().stream()
                .mapToLong(pool -> pool.getPeakUsage().getUsed())
                .sum();
        Child.report(String.format(
                Locale.ROOT,
                "%.1f | %.0f | %.0f | %d | %.1f | %.1f | %.0f",
                ready,
                mebibytes(before),
                mebibytes(after),
                (after - before) / OBJECTS,
                again,
                cpuSeconds() - cpu,
                mebibytes(most)));
        Child.untilParentLeaves();
        System.exit(0);
    }

    /** Number of kinds whose watch is up to date. */
    private static double watches(Shell shell) {
        double all = 0;
        for (var owner : List.of("agent", "plugin")) {
            var prefix = "autoscaling." + owner + ".watchers.";
            all += shell.meters().find(prefix + "alive.current").gauges().stream()
                    .mapToDouble(alive -> alive.value())
                    .sum();
            all -= shell.meters().find(prefix + "failing.current").gauges().stream()
                    .mapToDouble(failing -> failing.value())
                    .sum();
        }
        return all;
    }

    private static void until(BooleanSupplier happened) throws InterruptedException {
        while (!happened.getAsBoolean()) {
            Thread.sleep(LOOK_EVERY_MS);
        }
    }

    private static long heapKept() throws InterruptedException {
        for (int i = 0; i < COLLECTIONS; i++) {
            System.gc();
            Thread.sleep(LOOK_EVERY_MS);
        }
        return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
    }

    private static List<MemoryPoolMXBean> pools() {
        return ManagementFactory.getMemoryPoolMXBeans().stream()
                .filter(pool -> pool.getType() == MemoryType.HEAP)
                .toList();
    }

    private static double cpuSeconds() {
        return ((OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean()).getProcessCpuTime() / 1e9;
    }

    private static double secondsSince(long nanos) {
        return (System.nanoTime() - nanos) / 1e9;
    }

    private static double mebibytes(long bytes) {
        return bytes / (double) (1 << 20);
    }
}
