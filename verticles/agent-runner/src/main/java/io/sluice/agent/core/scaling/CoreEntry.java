package io.sluice.agent.core.scaling;

import io.sluice.units.Resources;
import io.sluice.units.Revision;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * An entry of a core's journal: its beginning, an update, or a decision. The updates, played into a new core in their
 * order, give the same decisions.
 */
public sealed interface CoreEntry {
    /**
     * What happened to a core at one event.
     *
     * @param number grows by one, so that a reader finds what is missing
     */
    record Step(long number, List<CoreEntry> entries) {}

    /** An update without numbers. */
    enum Event {
        METRICS_ABSENT,
        LFC_ABSENT,
        PERMIT_FAILED,
        MONITOR_RESET,
        MONITOR_ACTIVE,
        MONITOR_FOUND,
        UPSCALE_SUCCEEDED,
        UPSCALE_FAILED,
        DOWNSCALE_ALLOWED,
        DOWNSCALE_DENIED,
        DOWNSCALE_FAILED,
        PATCH_SUCCEEDED,
        PATCH_FAILED,
        PATCH_IN_DOUBT,
        ABOUT_TO_MOVE,
        MOVING_REVOKED
    }

    /** An update with a size. */
    enum SizedEvent {
        FOUND_UNSETTLED,
        PERMIT_REQUESTED,
        UPSCALE_REPORTED,
        DOWNSCALE_REQUESTED,
        PATCH_CONFLICT
    }

    /**
     * A core began.
     *
     * @param midway whether an older core is described, by this and the updates that follow, at a moment at which it
     *     had nothing under way
     */
    record Began(CoreConfig config, VmInfo vm, boolean midway) implements CoreEntry {}

    /** An update without numbers. */
    record Happened(Instant at, Event event) implements CoreEntry {}

    /** An update with a size. */
    record Sized(Instant at, SizedEvent event, Resources size) implements CoreEntry {}

    /** The scheduler granted a permit. */
    record Permitted(Instant at, Resources permit, Optional<Duration> validFor) implements CoreEntry {}

    /** A patch was sent. */
    record PatchSent(Instant at, Resources target, Revision revision) implements CoreEntry {}

    /** The monitor sent an upscale request. */
    record UpscaleWanted(Instant at, boolean cpu, boolean memory) implements CoreEntry {}

    /** The VM was observed. */
    record VmUpdated(Instant at, VmInfo vm) implements CoreEntry {}

    /** A scrape of the system's metrics arrived. */
    record Sampled(Instant at, SystemMetrics metrics) implements CoreEntry {}

    /** A scrape of the file cache's metrics arrived. */
    record LfcSampled(Instant at, LfcMetrics metrics) implements CoreEntry {}

    /** A policy of the agent's config computed the goal. */
    record GoalGiven(Instant at, GoalCu goal) implements CoreEntry {}

    /**
     * What the core decided.
     *
     * @param goalCu what the metrics ask for
     * @param requestedCu what an upscale request asks for; 0 while none counts
     * @param deniedCu what a denied downscale keeps; 0 while none counts
     * @param desired the size that is to be reached
     * @param permit the target of a permit request
     * @param patch the target of a patch
     * @param upscale the target of a notification to the monitor
     * @param downscale the target of a downscale request to the monitor
     */
    record Decided(
            Instant at,
            int goalCu,
            int requestedCu,
            int deniedCu,
            Resources desired,
            Optional<Resources> permit,
            Optional<Resources> patch,
            Optional<Resources> upscale,
            Optional<Resources> downscale)
            implements CoreEntry {
        /** The decision of these actions. */
        public static Decided of(ActionSet actions, Instant at) {
            return new Decided(
                    at,
                    actions.basis().goalCu(),
                    actions.basis().requestedCu(),
                    actions.basis().deniedCu(),
                    actions.desired(),
                    actions.pluginRequest().map(ActionSet.PluginRequest::target),
                    actions.neonVmRequest().map(ActionSet.NeonVmRequest::target),
                    actions.monitorUpscale().map(ActionSet.MonitorUpscale::target),
                    actions.monitorDownscale().map(ActionSet.MonitorDownscale::target));
        }

        /** Whether it is the same decision, at whatever time. */
        public boolean isSame(Decided other) {
            return equals(new Decided(
                    at,
                    other.goalCu,
                    other.requestedCu,
                    other.deniedCu,
                    other.desired,
                    other.permit,
                    other.patch,
                    other.upscale,
                    other.downscale));
        }
    }
}
