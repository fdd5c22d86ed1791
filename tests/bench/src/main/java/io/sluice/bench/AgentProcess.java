package io.sluice.bench;

import com.sun.management.OperatingSystemMXBean;
import io.sluice.agent.AgentVerticle;
import io.sluice.agent.FedAgent;
import io.sluice.bench.measurement.Child;
import io.sluice.bench.measurement.Config;
import io.sluice.bus.Bus;
import io.sluice.bus.ClusterAddresses;
import io.sluice.bus.LedgerAddresses;
import io.sluice.bus.MonitorAddresses;
import io.sluice.bus.VmAddresses;
import io.sluice.messages.cluster.Endpoint;
import io.sluice.messages.cluster.Overcommit;
import io.sluice.messages.cluster.ScalingOverrides;
import io.sluice.messages.cluster.VmObserved;
import io.sluice.messages.cluster.VmPhase;
import io.sluice.messages.cluster.VmSizes;
import io.sluice.messages.cluster.VmTraits;
import io.sluice.messages.ledger.permit.KindDecision;
import io.sluice.messages.ledger.permit.OpenReply;
import io.sluice.messages.ledger.permit.PermitReply;
import io.sluice.messages.ledger.permit.PermitRequest;
import io.sluice.messages.monitor.MonitorState;
import io.sluice.messages.monitor.ResizeReply;
import io.sluice.messages.vm.ClaimReply;
import io.sluice.messages.vm.PatchReply;
import io.sluice.monitor.MonitorVerticle;
import io.sluice.units.Resources;
import io.sluice.units.VmId;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;

/**
 * The process that {@link FleetBench} measures: an agent, and on its bus a ledger and a driver that accept everything
 * at once. Its VMs need no change, so that it measures only the upkeep. It measures itself before and after it has the
 * VMs.
 */
final class AgentProcess {
    private static final Duration WARM_UP = Duration.ofSeconds(45);
    private static final Duration MEASURED = Duration.ofSeconds(60);
    private static final long GIB = 1L << 30;
    private static final Resources UNIT = new Resources(250, GIB);
    private static final VmSizes SIZES = new VmSizes(UNIT, UNIT.times(16), UNIT, Optional.of(UNIT), GIB);
    private static final int COLLECTIONS = 3;

    private final Vertx vertx = Vertx.vertx();
    private final Bus bus = new Bus(vertx);
    private final LongAdder scrapes = new LongAdder();
    private final int vms;

    private AgentProcess(int vms) {
        this.vms = vms;
    }

    /** Heap in use after collection, resident memory, CPU time. */
    private record Reading(long heapBytes, long residentBytes, long cpuNanos, long atNanos) {}

    /** Takes the number of VMs; the port of their metrics, or 0 if they are fed; whether they have monitor sessions. */
    public static void main(String[] arguments) throws Exception {
        var process = new AgentProcess(Integer.parseInt(arguments[0]));
        process.run(Integer.parseInt(arguments[1]), Boolean.parseBoolean(arguments[2]));
        System.exit(0);
    }

    private void run(int port, boolean monitors) throws InterruptedException, IOException {
        var config = Config.with(Map.of("sluice.agent.maxVms", "100000", "sluice.monitor.maxSessions", "100000"));
        var shell = Config.shell();
        serve(monitors);
        if (monitors) {
            Config.done(vertx.deployVerticle(new MonitorVerticle(config.monitor(), shell)));
        }
        var agent = port == 0
                ? FedAgent.of(config.agent(), shell, Guests.METRICS, scrapes)
                : new AgentVerticle(config.agent(), shell);
        Config.done(vertx.deployVerticle(agent));
        TimeUnit.SECONDS.sleep(2);
        var empty = collected();
        for (int i = 0; i < vms; i++) {
            bus.publish(ClusterAddresses.VM_OBSERVED, vm(i, port));
        }
        TimeUnit.MILLISECONDS.sleep(WARM_UP.toMillis());
        Child.report("measuring");
        long scrapesBefore = scrapes.sum();
        var before = now(0);
        TimeUnit.MILLISECONDS.sleep(MEASURED.toMillis());
        var after = now(0);
        long scraped = scrapes.sum() - scrapesBefore;
        report(empty, before, after, collected(), scraped);
    }

    private void report(Reading empty, Reading before, Reading after, Reading full, long scraped) {
        double seconds = (after.atNanos() - before.atNanos()) / 1e9;
        double millicores = (after.cpuNanos() - before.cpuNanos()) / 1e6 / seconds;
        Child.report(String.format(
                Locale.ROOT,
                "%d | %.4f | %.1f | %.1f | %.0f | %.0f",
                vms,
                millicores / vms,
                (full.heapBytes() - empty.heapBytes()) / 1024.0 / vms,
                (after.residentBytes() - empty.residentBytes()) / 1024.0 / vms,
                after.residentBytes() / 1024.0 / 1024.0,
                scraped / seconds));
    }

    private static Reading collected() throws InterruptedException, IOException {
        for (int i = 0; i < COLLECTIONS; i++) {
            System.gc();
            TimeUnit.MILLISECONDS.sleep(500);
        }
        return now(ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed());
    }

    private static Reading now(long heapBytes) throws IOException {
        var system = ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
        return new Reading(heapBytes, residentBytes(), system.getProcessCpuTime(), System.nanoTime());
    }

    private static long residentBytes() throws IOException {
        for (var line : Files.readAllLines(Path.of("/proc/self/status"))) {
            if (line.startsWith("VmRSS:")) {
                return 1024 * Long.parseLong(line.replaceAll("[^0-9]", ""));
            }
        }
        return 0;
    }

    /** Serves all requests of the agent, except those for monitors if these are real. */
    private void serve(boolean monitors) {
        bus.serve(LedgerAddresses.OPEN, request -> Future.succeededFuture(new OpenReply.Opened(1, UNIT, false)));
        bus.serve(LedgerAddresses.PERMIT, request -> Future.succeededFuture(granted(request)));
        bus.serve(
                VmAddresses.CLAIM,
                claim -> Future.succeededFuture(
                        new ClaimReply.Claimed(claim.runner() + "/0", SIZES, true, Optional.empty())));
        bus.serve(VmAddresses.PATCH, patch -> Future.succeededFuture(new PatchReply.Patched(2)));
        if (!monitors) {
            bus.serve(
                    MonitorAddresses.ATTACH,
                    attach -> Future.succeededFuture(new MonitorState(attach.vm(), 1, true, "")));
            bus.serve(MonitorAddresses.UPSCALE, reported -> Future.succeededFuture(new ResizeReply.Accepted("")));
            bus.serve(MonitorAddresses.DOWNSCALE, request -> Future.succeededFuture(new ResizeReply.Accepted("")));
        }
    }

    private static PermitReply granted(PermitRequest request) {
        var target = request.target();
        var granted = KindDecision.Rule.GRANTED;
        return new PermitReply.Ruled(
                request.session(),
                request.seq(),
                target,
                Duration.ofSeconds(10),
                false,
                new KindDecision(granted, 0, target.milliCpu(), target.milliCpu(), 0, 9_000, 10_000),
                new KindDecision(granted, 0, target.memoryBytes(), target.memoryBytes(), 0, 36 * GIB, 40 * GIB));
    }

    private static VmObserved vm(int index, int port) {
        var name = "vm-" + index;
        return new VmObserved(
                new VmId("neonvm", "default", name, "8d6a2f0e-5f0b-4c53-9c0d-" + index),
                1,
                "4f1c2a9e-6a3b-4a57-9f0e-" + index,
                name + "-0",
                "node-" + index / 40,
                VmPhase.RUNNING,
                true,
                true,
                false,
                SIZES,
                Overcommit.OFF,
                ScalingOverrides.NONE,
                Optional.empty(),
                Optional.empty(),
                "",
                Optional.of(new Endpoint(Guests.host(index), Math.max(1, port), "/metrics")),
                Optional.empty(),
                Optional.of(new Endpoint(Guests.host(index), Math.max(1, port), "/monitor/" + name)),
                VmTraits.NONE);
    }
}
