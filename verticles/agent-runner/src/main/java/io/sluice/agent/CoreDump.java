package io.sluice.agent;

import io.sluice.agent.core.revision.ActionRevision;
import io.sluice.agent.core.scaling.CoreConfig;
import io.sluice.agent.core.scaling.CoreDetail;
import io.sluice.agent.core.scaling.Desired;
import io.sluice.agent.core.scaling.LfcMetrics;
import io.sluice.agent.core.scaling.ScalingConfig;
import io.sluice.agent.core.scaling.SystemMetrics;
import io.sluice.agent.core.scaling.VmInfo;
import io.sluice.shell.Quantities;
import io.sluice.units.Resources;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** A scaling core's state as JSON in the form of the dump of Neon's agent: names as in Go, durations in nanoseconds. */
final class CoreDump {
    private CoreDump() {}

    static JsonObject of(CoreDetail core) {
        return new JsonObject()
                .put("Config", config(core.config()))
                .put("Debug", false)
                .put("VM", vm(core.vm(), core.scaling()))
                .put("Plugin", plugin(core.scheduler()))
                .put("Monitor", monitor(core.monitor()))
                .put("NeonVM", neonVm(core.driver()))
                .put("Metrics", core.system().map(CoreDump::metrics).orElse(null))
                .put("LFCMetrics", core.lfc().map(CoreDump::metrics).orElse(null))
                .put("TargetRevision", RunnerDump.revision(core.target()))
                .put("LastDesiredResources", resources(core.lastDesired()));
    }

    private static JsonObject config(CoreConfig config) {
        return new JsonObject()
                .put("ComputeUnit", RunnerDump.resources(config.computeUnit()))
                .put("DefaultScalingConfig", scaling(config.scaling()))
                .put("PluginRequestTick", nanos(config.requestTick()))
                .put("PluginRetryWait", nanos(config.schedulerRetryWait()))
                .put("PluginDeniedRetryWait", nanos(config.deniedRetryWait()))
                .put("NeonVMRetryWait", nanos(config.neonVmRetryWait()))
                .put("MonitorRetryWait", nanos(config.monitorRetryWait()))
                .put("MonitorDeniedDownscaleCooldown", nanos(config.deniedDownscaleCooldown()))
                .put("MonitorRequestedUpscaleValidPeriod", nanos(config.requestedUpscaleValid()))
                .put("PermitSafety", config.permitSafety().name())
                .put("PermitValidFor", nanos(config.permitValidFor()))
                .put("ConfirmBy", config.confirmBy().name())
                .put("ConfirmTimeout", nanos(config.confirmTimeout()))
                .put("MaxUpscaleStepCU", config.maxUpscaleStepCu());
    }

    private static JsonObject scaling(ScalingConfig scaling) {
        return new JsonObject()
                .put("loadAverageFractionTarget", scaling.loadAverageFractionTarget())
                .put("memoryUsageFractionTarget", scaling.memoryUsageFractionTarget())
                .put("memoryTotalFractionTarget", scaling.memoryTotalFractionTarget())
                .put("enableLFCMetrics", scaling.enableLfcMetrics())
                .put("lfcUseLargestWindow", scaling.lfcUseLargestWindow())
                .put("lfcToMemoryRatio", scaling.lfcToMemoryRatio())
                .put("lfcMinWaitBeforeDownscaleMinutes", scaling.lfcMinWaitBeforeDownscaleMinutes())
                .put("lfcWindowSizeMinutes", scaling.lfcWindowSizeMinutes())
                .put("cpuStableZoneRatio", scaling.cpuStableZoneRatio())
                .put("cpuMixedZoneRatio", scaling.cpuMixedZoneRatio());
    }

    private static JsonObject vm(VmInfo vm, ScalingConfig scaling) {
        return new JsonObject()
                .put("min", RunnerDump.resources(vm.min()))
                .put("max", RunnerDump.resources(vm.max()))
                .put("using", RunnerDump.resources(vm.using()))
                .put("status", resources(vm.status()))
                .put("slotSize", Quantities.memoryText(vm.slotBytes()))
                .put("scalingConfig", scaling(scaling));
    }

    private static JsonObject plugin(CoreDetail.Scheduler plugin) {
        return new JsonObject()
                .put("OngoingRequest", plugin.requesting())
                .put(
                        "LastRequest",
                        plugin.last()
                                .map(request -> new JsonObject()
                                        .put("At", RunnerDump.time(request.at()))
                                        .put("Resources", RunnerDump.resources(request.resources())))
                                .orElse(null))
                .put("LastFailureAt", time(plugin.failedAt()))
                .put("Permit", resources(plugin.permit()))
                .put("CurrentRevision", RunnerDump.revision(plugin.acknowledged()));
    }

    private static JsonObject monitor(CoreDetail.Monitor monitor) {
        return new JsonObject()
                .put("OngoingRequest", ongoing(monitor))
                .put(
                        "RequestedUpscale",
                        monitor.upscaleRequest().map(CoreDump::upscaleRequest).orElse(null))
                .put(
                        "DeniedDownscale",
                        monitor.deniedDownscale().map(CoreDump::deniedDownscale).orElse(null))
                .put("Approved", resources(monitor.approved()))
                .put("DownscaleFailureAt", time(monitor.downscaleFailedAt()))
                .put("UpscaleFailureAt", time(monitor.upscaleFailedAt()))
                .put("CurrentRevision", RunnerDump.revision(monitor.acknowledged()));
    }

    private static JsonObject ongoing(CoreDetail.Monitor monitor) {
        return monitor.telling()
                .map(target -> ongoing("upscale", target))
                .or(() -> monitor.requested().map(target -> ongoing("downscale", target)))
                .orElse(null);
    }

    private static JsonObject ongoing(String kind, Resources requested) {
        return new JsonObject().put("Kind", kind).put("Requested", RunnerDump.resources(requested));
    }

    private static JsonObject upscaleRequest(Desired.Requested upscaleRequest) {
        return new JsonObject()
                .put("At", RunnerDump.time(upscaleRequest.at()))
                .put("Base", RunnerDump.resources(upscaleRequest.base()))
                .put(
                        "Requested",
                        new JsonObject().put("cpu", upscaleRequest.cpu()).put("memory", upscaleRequest.memory()));
    }

    private static JsonObject deniedDownscale(Desired.Denied denial) {
        return new JsonObject()
                .put("At", RunnerDump.time(denial.at()))
                .put("Current", RunnerDump.resources(denial.current()))
                .put("Requested", RunnerDump.resources(denial.requested()));
    }

    private static JsonObject neonVm(CoreDetail.Driver driver) {
        return new JsonObject()
                .putNull("LastSuccess")
                .put("OngoingRequested", resources(driver.patching()))
                .put("RequestFailedAt", time(driver.failedAt()))
                .put("TargetRevision", stamped(driver.target()))
                .put("CurrentRevision", new JsonObject().put("value", driver.confirmed()));
    }

    private static JsonObject stamped(ActionRevision stamped) {
        return new JsonObject()
                .put("revision", RunnerDump.revision(stamped.revision()))
                .put("updatedAt", RunnerDump.time(stamped.at()));
    }

    private static JsonObject metrics(SystemMetrics metrics) {
        return new JsonObject()
                .put("LoadAverage1Min", metrics.load1())
                .put("LoadAverage5Min", metrics.load5())
                .put("MemoryUsageBytes", metrics.usageBytes())
                .put("MemoryCachedBytes", metrics.cachedBytes());
    }

    private static JsonObject metrics(LfcMetrics metrics) {
        return new JsonObject().put("ApproximateworkingSetSizeBuckets", new JsonArray(metrics.windows()));
    }

    private static JsonObject resources(Optional<Resources> amount) {
        return amount.map(RunnerDump::resources).orElse(null);
    }

    private static String time(Optional<Instant> instant) {
        return instant.map(RunnerDump::time).orElse(null);
    }

    private static long nanos(Duration duration) {
        return duration.toNanos();
    }
}
