package io.sluice.agent.core.journal;

import io.sluice.agent.core.revision.ActionRevision;
import io.sluice.agent.core.scaling.CoreEntry;
import io.sluice.agent.core.scaling.ScalingCore;
import io.sluice.units.Resources;
import io.sluice.units.Revision;
import java.time.Instant;

/** Plays the entries of a journal into a core. */
public final class JournalPlayback {
    private JournalPlayback() {}

    /** Applies the update of an entry; a decision changes nothing. */
    public static void play(CoreEntry entry, ScalingCore core) {
        switch (entry) {
            case CoreEntry.Began _, CoreEntry.Decided _ -> {}
            case CoreEntry.Happened(var at, var event) -> happened(event, at, core);
            case CoreEntry.Sized(var at, var event, var size) -> sized(event, size, at, core);
            case CoreEntry.Permitted(var at, var permit, var validFor) ->
                core.schedulerSuccess(at, permit, validFor, new ActionRevision(Revision.ZERO, at));
            case CoreEntry.PatchSent(var at, var target, var revision) -> core.neonVmStarting(at, target, revision);
            case CoreEntry.UpscaleWanted(var at, var cpu, var memory) -> core.upscaleRequested(at, cpu, memory);
            case CoreEntry.VmUpdated(var at, var observed) -> core.vmUpdated(observed, at);
            case CoreEntry.Sampled(var at, var metrics) -> core.systemMetrics(metrics, at);
            case CoreEntry.LfcSampled(var at, var metrics) -> core.lfcMetrics(metrics, at);
            case CoreEntry.GoalGiven(var at, var goal) -> core.goalGiven(goal, at);
        }
    }

    private static void happened(CoreEntry.Event event, Instant at, ScalingCore core) {
        var none = new ActionRevision(Revision.ZERO, at);
        switch (event) {
            case METRICS_ABSENT -> core.systemMetricsAbsent(at);
            case LFC_ABSENT -> core.lfcMetricsAbsent(at);
            case PERMIT_FAILED -> core.schedulerFailed(at);
            case MONITOR_RESET -> core.monitorReset(at);
            case MONITOR_ACTIVE -> core.monitorActive(at);
            case MONITOR_FOUND -> core.monitorFound(at);
            case UPSCALE_SUCCEEDED -> core.monitorUpscaleSuccess(at);
            case UPSCALE_FAILED -> core.monitorUpscaleFailed(at);
            case DOWNSCALE_ALLOWED -> core.monitorDownscaleAllowed(at, none);
            case DOWNSCALE_DENIED -> core.monitorDownscaleDenied(at, none);
            case DOWNSCALE_FAILED -> core.monitorDownscaleFailed(at);
            case PATCH_SUCCEEDED -> core.neonVmSuccess(at);
            case PATCH_FAILED -> core.neonVmFailed(at);
            case PATCH_IN_DOUBT -> core.neonVmInDoubt(at);
            case ABOUT_TO_MOVE -> core.aboutToMove(at);
            case MOVING_REVOKED -> core.movingRevoked(at);
        }
    }

    private static void sized(CoreEntry.SizedEvent event, Resources size, Instant at, ScalingCore core) {
        switch (event) {
            case FOUND_UNSETTLED -> core.foundUnsettled(size, at);
            case PERMIT_REQUESTED -> core.schedulerStarting(at, size);
            case UPSCALE_REPORTED -> core.monitorUpscaleStarting(at, size);
            case DOWNSCALE_REQUESTED -> core.monitorDownscaleStarting(at, size);
            case PATCH_CONFLICT -> core.neonVmConflict(at, size);
        }
    }
}
