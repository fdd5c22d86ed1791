package io.sluice.agent;

import io.sluice.agent.core.runner.Runner;
import io.sluice.agent.core.runner.RunnerState;
import io.sluice.agent.core.scaling.CoreState;
import io.sluice.agent.core.status.Freshness;
import io.sluice.agent.core.status.ScalingStatus;
import io.sluice.messages.cluster.Endpoint;
import io.sluice.messages.cluster.ScalingOverrides;
import io.sluice.messages.cluster.VmObserved;
import io.sluice.shell.Quantities;
import io.sluice.units.Resources;
import io.sluice.units.Revision;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * One VM with its runner, in the form in which Neon's agent dumps one of its pods, so that tools made for it can read
 * it. What only Sluice has is under {@code sluice}. What this agent has no value for is null, or the empty string.
 */
final class RunnerDump {
    private RunnerDump() {}

    static JsonObject of(
            VmObserved observed,
            Optional<Runner> runner,
            Optional<ScalingStatus> status,
            RunnerHistory logbook,
            Instant now) {
        return new JsonObject()
                .put("podName", name(observed.vm().namespace(), observed.podName()))
                .put("status", status(observed, status, logbook))
                .put("runner", runner.map(it -> runner(it, observed)).orElse(null))
                .put("sluice", ours(observed, runner, status, now))
                .putNull("collectionError");
    }

    private static JsonObject name(String namespace, String name) {
        return new JsonObject().put("namespace", namespace).put("name", name);
    }

    private static JsonObject status(VmObserved observed, Optional<ScalingStatus> status, RunnerHistory logbook) {
        boolean failed = status.filter(last -> last.cause().fault()).isPresent();
        return new JsonObject()
                .put("startTime", time(logbook.startedAt()))
                .put("endState", logbook.ending().orElse(null))
                .put("previousEndStates", new JsonArray(logbook.previousEndings()))
                .put(
                        "lastSuccessfulMonitorComm",
                        logbook.monitorContactAt().map(RunnerDump::time).orElse(null))
                .put("failedMonitorRequestCounter", logbook.monitorFailures())
                .put("failedNeonVMRequestCounter", logbook.driverFailures())
                .put("failedSchedulerRequestCounter", logbook.ledgerFailures())
                .put("vmInfo", vmInfo(observed))
                .put("endpointID", observed.traits().endpointId())
                .putNull("endpointAssignedAt")
                .put("state", failed ? "panicked" : "ok")
                .putNull("stateUpdatedAt");
    }

    static JsonObject vmInfo(VmObserved observed) {
        var sizes = observed.sizes();
        long slot = sizes.slotBytes();
        return name(observed.vm().namespace(), observed.vm().name())
                .put(
                        "cpu",
                        new JsonObject()
                                .put("min", cpu(sizes.min().milliCpu()))
                                .put("max", cpu(sizes.max().milliCpu()))
                                .put("use", cpu(sizes.spec().milliCpu())))
                .put(
                        "mem",
                        new JsonObject()
                                .put("min", sizes.min().memoryBytes() / slot)
                                .put("max", sizes.max().memoryBytes() / slot)
                                .put("use", sizes.spec().memoryBytes() / slot)
                                .put("slotSize", Quantities.memoryText(slot)))
                .put(
                        "config",
                        new JsonObject()
                                .put("autoMigrationEnabled", observed.migratable())
                                .put("alwaysMigrate", observed.alwaysMigrate())
                                .put("scalingEnabled", observed.autoscaled())
                                .put("scalingConfig", overrides(observed.overrides())))
                .put(
                        "currentRevision",
                        observed.currentRevision()
                                .map(shown -> new JsonObject()
                                        .put("revision", revision(shown))
                                        .putNull("updatedAt"))
                                .orElse(null));
    }

    private static JsonObject overrides(ScalingOverrides own) {
        var json = new JsonObject();
        own.loadAverageFractionTarget().ifPresent(it -> json.put("loadAverageFractionTarget", it));
        own.memoryUsageFractionTarget().ifPresent(it -> json.put("memoryUsageFractionTarget", it));
        own.memoryTotalFractionTarget().ifPresent(it -> json.put("memoryTotalFractionTarget", it));
        own.enableLfcMetrics().ifPresent(it -> json.put("enableLFCMetrics", it));
        own.lfcUseLargestWindow().ifPresent(it -> json.put("lfcUseLargestWindow", it));
        own.lfcToMemoryRatio().ifPresent(it -> json.put("lfcToMemoryRatio", it));
        own.lfcMinWaitBeforeDownscaleMinutes().ifPresent(it -> json.put("lfcMinWaitBeforeDownscaleMinutes", it));
        own.lfcWindowSizeMinutes().ifPresent(it -> json.put("lfcWindowSizeMinutes", it));
        own.cpuStableZoneRatio().ifPresent(it -> json.put("cpuStableZoneRatio", it));
        own.cpuMixedZoneRatio().ifPresent(it -> json.put("cpuMixedZoneRatio", it));
        return json;
    }

    private static JsonObject runner(Runner runner, VmObserved observed) {
        return new JsonObject()
                .put("podIP", observed.metrics().map(Endpoint::host).orElse(""))
                .put("monitor", new JsonObject().put("waitersSize", runner.waitsForGuest() ? 1 : 0))
                .put("backgroundWorkerCount", 0)
                .put("executorState", runner.detail().map(CoreDump::of).orElse(null));
    }

    private static JsonObject ours(
            VmObserved observed, Optional<Runner> runner, Optional<ScalingStatus> status, Instant now) {
        var json = new JsonObject()
                .put("phase", observed.phase().name())
                .put("node", observed.node())
                .put("pod", observed.pod())
                .put("fence", observed.fence());
        status.ifPresent(it -> json.put("waiting", it.cause().waiting().name())
                .put("reason", it.cause().words().at(now))
                .put("goal", it.goal().map(Quantities::text).orElse(null)));
        runner.map(Runner::state).ifPresent(it -> state(it, json));
        runner.map(Runner::freshness)
                .ifPresent(it -> json.put("metrics", freshness(it.system(), now))
                        .put("fileCacheMetrics", freshness(it.fileCache(), now)));
        return json;
    }

    /** Times are whole milliseconds, for a human reader. */
    private static JsonObject freshness(Freshness metrics, Instant now) {
        return new JsonObject()
                .put(
                        "ageMs",
                        metrics.cameAt()
                                .map(at -> Duration.between(at, now).toMillis())
                                .orElse(null))
                .put("stale", metrics.stale())
                .put("trouble", metrics.trouble().orElse(null));
    }

    private static void state(RunnerState state, JsonObject json) {
        json.put("stage", state.stage().name())
                .put("session", state.session())
                .put("seq", state.seq())
                .put("runnerFence", state.fence());
        state.core()
                .ifPresent(core -> json.put("exposure", Quantities.text(core.exposure()))
                        .put("inDoubt", core.inDoubt())
                        .put("moving", core.moving())
                        .put("permitLapsesAt", time(core)));
    }

    private static String time(CoreState core) {
        return core.permitLapsesAt().map(RunnerDump::time).orElse(null);
    }

    static String time(Instant instant) {
        return instant.toString();
    }

    /** An integer if the CPU count is whole, else a quantity. */
    static Object cpu(long milliCpu) {
        return milliCpu % 1000 == 0 ? (Object) (milliCpu / 1000) : Quantities.cpuText(milliCpu);
    }

    static JsonObject resources(Resources amount) {
        return new JsonObject()
                .put("vCPUs", cpu(amount.milliCpu()))
                .put("mem", Quantities.memoryText(amount.memoryBytes()));
    }

    static JsonObject revision(Revision revision) {
        return new JsonObject().put("value", revision.value()).put("flags", revision.flags());
    }
}
