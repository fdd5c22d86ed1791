package io.sluice.codecs;

import io.sluice.devices.DeviceLink;
import io.sluice.devices.DeviceMisfit;
import io.sluice.devices.GpuMode;
import io.sluice.devices.GpuScope;
import io.sluice.devices.NodeZones;
import io.sluice.messages.agent.Decision;
import io.sluice.messages.agent.ScalingRecorded;
import io.sluice.messages.agent.Waiting;
import io.sluice.messages.cluster.MigrationPhase;
import io.sluice.messages.cluster.SchedulingChange;
import io.sluice.messages.cluster.VmPhase;
import io.sluice.messages.ledger.AgentContact;
import io.sluice.messages.ledger.MarkMigrating;
import io.sluice.messages.ledger.NodeReadiness;
import io.sluice.messages.ledger.grant.GrantChange;
import io.sluice.messages.ledger.grant.NearestGrant;
import io.sluice.messages.ledger.permit.KindDecision.Rule;
import io.sluice.messages.ledger.permit.NotReadyCause;
import io.sluice.messages.ledger.permit.RefusalCause;
import io.sluice.messages.placement.GangState;
import io.sluice.messages.placement.NodeRanks;
import io.sluice.messages.placement.PlacementDecision;
import io.sluice.messages.pod.PodSampled;
import io.sluice.messages.pressure.PressureDecision;
import io.sluice.messages.worker.InstancePods;
import io.sluice.wire.WireEnum;

/** The number of every enum constant on the wire. A number is never given to another constant. */
public final class EnumNumbers {
    public static final WireEnum<VmPhase> VM_PHASE = new WireEnum<>(VmPhase.class, phase -> switch (phase) {
        case PENDING -> 1;
        case RUNNING -> 2;
        case SCALING -> 3;
        case PRE_MIGRATING -> 4;
        case MIGRATING -> 5;
        case ENDED -> 6;
    });

    public static final WireEnum<NotReadyCause> NOT_READY_CAUSE =
            new WireEnum<>(NotReadyCause.class, cause -> switch (cause) {
                case NODE_INCOMPLETE -> 1;
                case NODE_UNKNOWN -> 2;
            });

    public static final WireEnum<RefusalCause> REFUSAL_CAUSE =
            new WireEnum<>(RefusalCause.class, cause -> switch (cause) {
                case POD_UNKNOWN -> 1;
                case NOT_A_VM -> 2;
                case ZERO_COMPUTE_UNIT -> 3;
                case ZERO_TARGET -> 4;
                case OVERFLOW -> 5;
                case NOT_MIGRATABLE -> 6;
                case RECOVERED -> 7;
                case NODE_NOT_READY -> 8;
                case ALREADY_MOVING -> 9;
                case ATTEMPT_OVER -> 10;
                case VM_UNOBSERVED -> 11;
            });

    public static final WireEnum<Rule> OUTCOME = new WireEnum<>(Rule.class, outcome -> switch (outcome) {
        case NOTED -> 1;
        case GRANTED -> 2;
        case CUT_TO_ROOM -> 3;
        case CUT_TO_MAX -> 4;
        case MIGRATING -> 5;
        case NODE_NOT_READY -> 6;
    });

    public static final WireEnum<NodeReadiness> NODE_READINESS =
            new WireEnum<>(NodeReadiness.class, readiness -> switch (readiness) {
                case READY -> 1;
                case NOT_READY -> 2;
                case GROWTH_STOPPED -> 3;
            });

    public static final WireEnum<AgentContact> AGENT_CONTACT =
            new WireEnum<>(AgentContact.class, contact -> switch (contact) {
                case RECOVERED -> 1;
                case RECLAIMED -> 2;
                case FOUND -> 3;
                case SWITCHED_OFF -> 4;
                case REQUESTED -> 5;
            });

    public static final WireEnum<Decision.Kind> DECISION_KIND =
            new WireEnum<>(Decision.Kind.class, kind -> switch (kind) {
                case SCALED_UP -> 1;
                case SCALED_DOWN -> 2;
                case DENIED -> 3;
                case DOWNSCALE_DENIED -> 4;
                case UPSCALE_REQUESTED -> 5;
                case SUPERSEDED -> 6;
                case CONFIG_REFUSED -> 7;
            });

    public static final WireEnum<MigrationPhase> MIGRATION_PHASE =
            new WireEnum<>(MigrationPhase.class, phase -> switch (phase) {
                case NEW -> 1;
                case PENDING -> 2;
                case RUNNING -> 3;
                case SUCCEEDED -> 4;
                case FAILED -> 5;
            });

    public static final WireEnum<MarkMigrating.Cause> MARK_CAUSE =
            new WireEnum<>(MarkMigrating.Cause.class, cause -> switch (cause) {
                case PRESSURE -> 1;
                case ALWAYS -> 2;
                case UNDER_WAY -> 3;
                case BEGINNING -> 4;
            });

    public static final WireEnum<PressureDecision.Kind> PRESSURE_KIND =
            new WireEnum<>(PressureDecision.Kind.class, kind -> switch (kind) {
                case MOVING -> 1;
                case MOVED -> 2;
                case ADOPTED -> 3;
                case NOT_MOVED -> 4;
                case NONE_MOVES -> 5;
            });

    public static final WireEnum<Waiting> WAITING = new WireEnum<>(Waiting.class, waiting -> switch (waiting) {
        case NOTHING -> 1;
        case METRICS -> 2;
        case CLAIM -> 3;
        case SESSION -> 4;
        case NODE -> 5;
        case PERMIT -> 6;
        case ROOM -> 7;
        case RETRY -> 8;
        case PERMIT_LAPSED -> 9;
        case PATCH -> 10;
        case DRIVER -> 11;
        case MONITOR -> 12;
        case DENIED_DOWNSCALE -> 13;
        case MIGRATION -> 14;
        case MAX -> 15;
        case SUPERSEDED -> 16;
        case STOPPED -> 17;
    });

    public static final WireEnum<ScalingRecorded.Kind> SCALING_KIND =
            new WireEnum<>(ScalingRecorded.Kind.class, kind -> switch (kind) {
                case ACTUAL -> 1;
                case HYPOTHETICAL -> 2;
            });

    public static final WireEnum<NodeRanks.Obstacle> PLACEMENT_OBSTACLE =
            new WireEnum<>(NodeRanks.Obstacle.class, obstacle -> switch (obstacle) {
                case NONE -> 1;
                case NO_ROOM -> 2;
                case LEDGER_NOT_READY -> 3;
                case NODE_NOT_READY -> 4;
                case HELD_ELSEWHERE -> 5;
                case KEPT -> 6;
                case DEVICES -> 7;
                case GANG -> 8;
                case OVER_THRESHOLD -> 21;
                case NOT_MEASURED -> 22;
            });

    public static final WireEnum<PlacementDecision.Kind> PLACEMENT_KIND =
            new WireEnum<>(PlacementDecision.Kind.class, kind -> switch (kind) {
                case WAITS -> 1;
                case PLACED -> 2;
                case NOT_PLACED -> 3;
                case ARRIVED -> 4;
                case EVICTED -> 5;
                case LIMITS_DIFFER -> 6;
            });

    public static final WireEnum<PodSampled.Cause> POD_SAMPLE_CAUSE =
            new WireEnum<>(PodSampled.Cause.class, cause -> switch (cause) {
                case CPU_STALLED -> 1;
                case MEMORY_STALLED -> 2;
                case MEMORY_LIMITED -> 3;
                case OOM_KILLED -> 4;
            });

    public static final WireEnum<SchedulingChange.Kind> SCHEDULING_KIND =
            new WireEnum<>(SchedulingChange.Kind.class, kind -> switch (kind) {
                case POD -> 1;
                case NODE -> 2;
                case NAMESPACE -> 3;
                case VOLUME_CLAIM -> 4;
                case VOLUME -> 5;
                case DRIVERS -> 6;
                case ATTACHMENT -> 7;
                case DISRUPTION_BUDGET -> 8;
                case STORAGE_CLASS -> 9;
                case POD_GROUP -> 10;
            });

    public static final WireEnum<GangState.Step> GANG_STEP =
            new WireEnum<>(GangState.Step.class, step -> switch (step) {
                case PENDING -> 1;
                case HELD -> 2;
                case BINDING -> 3;
                case BOUND -> 4;
                case RUNNING -> 5;
                case SUCCEEDED -> 6;
                case FAILED -> 7;
            });

    public static final WireEnum<GpuMode> GPU_MODE = new WireEnum<>(GpuMode.class, mode -> switch (mode) {
        case WHOLE -> 1;
        case SHARED -> 2;
        case HAMI -> 3;
        case DRA -> 4;
    });

    public static final WireEnum<DeviceLink> DEVICE_LINK = new WireEnum<>(DeviceLink.class, link -> switch (link) {
        case NVLINK -> 1;
        case SAME_SWITCH -> 2;
        case SAME_NUMA -> 3;
        case CROSS_NUMA -> 4;
    });

    public static final WireEnum<GpuScope> GPU_SCOPE = new WireEnum<>(GpuScope.class, scope -> switch (scope) {
        case NODE -> 1;
        case NUMA -> 2;
        case PCIE -> 3;
        case NVLINK -> 4;
    });

    public static final WireEnum<DeviceMisfit.Cause> DEVICE_MISFIT =
            new WireEnum<>(DeviceMisfit.Cause.class, cause -> switch (cause) {
                case GPU_NO_DEVICE_FITS -> 1;
                case GPU_MODEL -> 2;
                case GPU_SCOPE -> 3;
                case GPU_UNHEALTHY -> 4;
                case GPU_NODE_MODE -> 5;
                case GPU_REQUEST_AMBIGUOUS -> 6;
                case NUMA_NO_ZONE -> 7;
                case NUMA_PESSIMISTIC -> 8;
            });

    public static final WireEnum<NodeZones.Policy> ZONE_POLICY =
            new WireEnum<>(NodeZones.Policy.class, policy -> switch (policy) {
                case NONE -> 1;
                case BEST_EFFORT -> 2;
                case RESTRICTED -> 3;
                case SINGLE_ZONE -> 4;
            });

    public static final WireEnum<InstancePods.Phase> POD_PHASE =
            new WireEnum<>(InstancePods.Phase.class, phase -> switch (phase) {
                case STARTING -> 1;
                case RUNNING -> 2;
                case ENDING -> 3;
                case SUCCEEDED -> 4;
                case FAILED -> 5;
            });

    public static final WireEnum<NearestGrant.Sufficiency> GRANT_SUFFICIENCY =
            new WireEnum<>(NearestGrant.Sufficiency.class, sufficiency -> switch (sufficiency) {
                case GRANTED -> 1;
                case ANY -> 2;
                case ALL -> 3;
                case NONE -> 4;
            });

    public static final WireEnum<GrantChange.Kind> GRANT_CHANGE =
            new WireEnum<>(GrantChange.Kind.class, kind -> switch (kind) {
                case ROOM -> 1;
                case WATERMARK -> 2;
                case MAXIMUM -> 3;
                case NODE_READY -> 4;
                case LEDGER_COMPLETE -> 5;
                case MIGRATION_ENDED -> 6;
                case CLAIM_ENDED -> 7;
                case HOLD_ENDED -> 8;
                case VM_LEFT -> 9;
                case VM_MOVED -> 10;
                case POD_ENDED -> 11;
                case TAINT_TOLERATED -> 12;
                case UNCORDONED -> 13;
                case NODE_ALLOWED -> 14;
            });

    private EnumNumbers() {}
}
