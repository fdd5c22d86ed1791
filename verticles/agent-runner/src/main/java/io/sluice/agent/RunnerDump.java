package io.sluice.agent;

import io.sluice.agent.core.runner.Freshness;
import io.sluice.agent.core.runner.Runner;
import io.sluice.agent.core.runner.RunnerState;
import io.sluice.agent.core.runner.ScalingStatus;
import io.sluice.agent.core.scaling.CoreState;
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
 * One VM with its runner, in the shape in which Neon's agent dumps one of its pods, so that tools made for that one can
 * read it. What is ours alone stands under {@code sluice}. What nobody tells this agent is null, or the empty text.
 */
final class RunnerDump {
    private RunnerDump() {}

    static JsonObject of(
            VmObserved seen,
            Optional<Runner> runner,
            Optional<ScalingStatus> standing,
            RunnerHistory logbook,
            Instant now) {
        return new JsonObject()
                .put("podName", name(seen.vm().namespace(), seen.podName()))
                .put("status", status(seen, standing, logbook))
                .put("runner", runner.map(it -> runner(it, seen)).orElse(null))
                .put("sluice", ours(seen, runner, standing, now))
                .putNull("collectionError");
    }

    private static JsonObject name(String namespace, String name) {
        return new JsonObject().put("namespace", namespace).put("name", name);
    }

    private static JsonObject status(VmObserved seen, Optional<ScalingStatus> standing, RunnerHistory logbook) {
        boolean failed = standing.filter(last -> last.cause().fault()).isPresent();
        return new JsonObject()
                .put("startTime", time(logbook.startedAt()))
                .put("endState", logbook.ending().orElse(null))
                .put("previousEndStates", new JsonArray(logbook.previousEndings()))
                .put(
                        "lastSuccessfulMonitorComm",
                        logbook.monitorHeardAt().map(RunnerDump::time).orElse(null))
                .put("failedMonitorRequestCounter", logbook.monitorFailures())
                .put("failedNeonVMRequestCounter", logbook.driverFailures())
                .put("failedSchedulerRequestCounter", logbook.ledgerFailures())
                .put("vmInfo", vmInfo(seen))
                .put("endpointID", seen.traits().endpointId())
                .putNull("endpointAssignedAt")
                .put("state", failed ? "panicked" : "ok")
                .putNull("stateUpdatedAt");
    }

    static JsonObject vmInfo(VmObserved seen) {
        var sizes = seen.sizes();
        long slot = sizes.slotBytes();
        return name(seen.vm().namespace(), seen.vm().name())
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
                                .put("autoMigrationEnabled", seen.migratable())
                                .put("alwaysMigrate", seen.alwaysMigrate())
                                .put("scalingEnabled", seen.autoscaled())
                                .put("scalingConfig", overrides(seen.overrides())))
                .put(
                        "currentRevision",
                        seen.currentRevision()
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

    private static JsonObject runner(Runner runner, VmObserved seen) {
        return new JsonObject()
                .put("podIP", seen.metrics().map(Endpoint::host).orElse(""))
                .put("monitor", new JsonObject().put("waitersSize", runner.waitsForGuest() ? 1 : 0))
                .put("backgroundWorkerCount", 0)
                .put("executorState", runner.detail().map(CoreDump::of).orElse(null));
    }

    private static JsonObject ours(
            VmObserved seen, Optional<Runner> runner, Optional<ScalingStatus> standing, Instant now) {
        var json = new JsonObject()
                .put("phase", seen.phase().name())
                .put("node", seen.node())
                .put("pod", seen.pod())
                .put("fence", seen.fence());
        standing.ifPresent(it -> json.put("waiting", it.cause().waiting().name())
                .put("reason", it.cause().words().at(now))
                .put("goal", it.goal().map(Quantities::text).orElse(null)));
        runner.map(Runner::state).ifPresent(it -> state(it, json));
        runner.map(Runner::freshness)
                .ifPresent(it -> json.put("metrics", freshness(it.system(), now))
                        .put("fileCacheMetrics", freshness(it.fileCache(), now)));
        return json;
    }

    /** Times are whole milliseconds, as they are meant to be looked at. */
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

    /** A whole number where it is one, else a quantity. */
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
