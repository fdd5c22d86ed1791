package io.sluice.vectors.scaling;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.agent.core.scaling.ConfirmationMode;
import io.sluice.agent.core.scaling.CoreConfig;
import io.sluice.agent.core.scaling.PermitSafety;
import io.sluice.agent.core.scaling.ScalingCore;
import io.sluice.units.Resources;
import io.sluice.units.Revision;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** Applies the steps of a history to a core. */
final class StepPlayer {
    private final Resources unit;
    private final ScalingCore core;
    private Revision offeredPatch = Revision.ZERO;

    StepPlayer(JsonNode header) {
        CoreConfig config = config(header.path("config"));
        unit = config.computeUnit();
        core = new ScalingCore(config, Json.vm(header.path("vm")));
    }

    /** The recorded core's permits do not lapse, and its patches need no confirmation. */
    private static CoreConfig config(JsonNode json) {
        Duration deniedRetryWait = Json.duration(json, "schedulerDeniedRetryWaitNs");
        return new CoreConfig(
                Json.resources(json.path("computeUnit")),
                Json.scaling(json.path("scaling")),
                Json.duration(json, "requestTickNs"),
                Json.duration(json, "schedulerRetryWaitNs"),
                deniedRetryWait,
                Json.duration(json, "neonVmRetryWaitNs"),
                Json.duration(json, "monitorRetryWaitNs"),
                Json.duration(json, "deniedDownscaleCooldownNs"),
                Json.duration(json, "requestedUpscaleValidNs"),
                PermitSafety.REFERENCE,
                deniedRetryWait.plusSeconds(1),
                ConfirmationMode.PATCH,
                Duration.ofSeconds(30),
                0);
    }

    Resources unit() {
        return unit;
    }

    ScalingCore core() {
        return core;
    }

    /** The patch that the last query offered; the step that starts it names only its target. */
    void offered(Optional<Revision> patch) {
        patch.ifPresent(revision -> offeredPatch = revision);
    }

    /** Whether the core refused its input, as expected. */
    boolean happened(JsonNode step) {
        Instant at = step.has("at") ? Json.instant(step, "at") : Json.instant(step, "t");
        String op = step.path("op").asText();
        return switch (op) {
            case "none" -> false;
            case "schedulerStarting", "schedulerSuccess", "schedulerFailed" -> scheduler(op, step, at);
            case "neonVmStarting", "neonVmSuccess", "neonVmFailed" -> neonVm(op, step, at);
            case "systemMetrics", "lfcMetrics", "vmUpdated" -> observed(op, step, at);
            default -> monitor(op, step, at);
        };
    }

    private boolean scheduler(String op, JsonNode step, Instant at) {
        switch (op) {
            case "schedulerStarting" -> core.schedulerStarting(at, Json.resources(step.path("resources")));
            case "schedulerFailed" -> core.schedulerFailed(at);
            default -> {
                return !core.schedulerSuccess(
                        at,
                        Json.resources(step.path("permit")),
                        Optional.empty(),
                        Json.stampedRevision(step.path("revision")));
            }
        }
        return false;
    }

    private boolean neonVm(String op, JsonNode step, Instant at) {
        switch (op) {
            case "neonVmSuccess" -> core.neonVmSuccess(at);
            case "neonVmFailed" -> core.neonVmFailed(at);
            default -> {
                return !core.neonVmStarting(at, Json.resources(step.path("resources")), offeredPatch);
            }
        }
        return false;
    }

    private boolean observed(String op, JsonNode step, Instant at) {
        switch (op) {
            case "systemMetrics" -> core.systemMetrics(Json.systemMetrics(step), at);
            case "lfcMetrics" -> core.lfcMetrics(Json.windows(step.path("windows")), at);
            default -> core.vmUpdated(Json.vm(step.path("vm")), at);
        }
        return false;
    }

    private boolean monitor(String op, JsonNode step, Instant at) {
        switch (op) {
            case "monitorReset" -> core.monitorReset(at);
            case "monitorActive" -> core.monitorActive(at);
            case "upscaleRequested" -> core.upscaleRequested(at, Json.flag(step, "cpu"), Json.flag(step, "memory"));
            case "upscaleStarting" -> core.monitorUpscaleStarting(at, Json.resources(step.path("resources")));
            case "upscaleSuccess" -> core.monitorUpscaleSuccess(at);
            case "upscaleFailed" -> core.monitorUpscaleFailed(at);
            case "downscaleStarting" -> core.monitorDownscaleStarting(at, Json.resources(step.path("resources")));
            case "downscaleAllowed" -> core.monitorDownscaleAllowed(at, Json.stampedRevision(step.path("revision")));
            case "downscaleDenied" -> core.monitorDownscaleDenied(at, Json.stampedRevision(step.path("revision")));
            case "downscaleFailed" -> core.monitorDownscaleFailed(at);
            default -> throw new Json.UnreadableException("no such op: " + op);
        }
        return false;
    }
}
