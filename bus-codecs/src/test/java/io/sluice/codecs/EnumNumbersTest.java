package io.sluice.codecs;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.messages.agent.Decision;
import io.sluice.messages.agent.ScalingRecorded;
import io.sluice.messages.agent.Waiting;
import io.sluice.messages.cluster.MigrationPhase;
import io.sluice.messages.cluster.VmPhase;
import io.sluice.messages.ledger.AgentContact;
import io.sluice.messages.ledger.MarkMigrating;
import io.sluice.messages.ledger.NodeReadiness;
import io.sluice.messages.ledger.grant.GrantChange;
import io.sluice.messages.ledger.grant.NearestGrant;
import io.sluice.messages.ledger.permit.KindDecision.Rule;
import io.sluice.messages.ledger.permit.NotReadyCause;
import io.sluice.messages.ledger.permit.RefusalCause;
import io.sluice.messages.pod.PodSampled;
import io.sluice.messages.pressure.PressureDecision;
import io.sluice.messages.worker.InstancePods;
import io.sluice.wire.WireEnum;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class EnumNumbersTest {
    /** A constant may be added to a table, or renamed in it; the numbers here never change. */
    static Stream<Arguments> frozen() {
        return Stream.of(
                Arguments.of(
                        EnumNumbers.POD_PHASE,
                        InstancePods.Phase.values(),
                        Map.of(
                                InstancePods.Phase.STARTING, 1,
                                InstancePods.Phase.RUNNING, 2,
                                InstancePods.Phase.ENDING, 3,
                                InstancePods.Phase.SUCCEEDED, 4,
                                InstancePods.Phase.FAILED, 5)),
                Arguments.of(
                        EnumNumbers.POD_SAMPLE_CAUSE,
                        PodSampled.Cause.values(),
                        Map.of(
                                PodSampled.Cause.CPU_STALLED, 1,
                                PodSampled.Cause.MEMORY_STALLED, 2,
                                PodSampled.Cause.MEMORY_LIMITED, 3,
                                PodSampled.Cause.OOM_KILLED, 4)),
                Arguments.of(
                        EnumNumbers.VM_PHASE,
                        VmPhase.values(),
                        Map.of(
                                VmPhase.PENDING, 1,
                                VmPhase.RUNNING, 2,
                                VmPhase.SCALING, 3,
                                VmPhase.PRE_MIGRATING, 4,
                                VmPhase.MIGRATING, 5,
                                VmPhase.ENDED, 6)),
                Arguments.of(
                        EnumNumbers.NOT_READY_CAUSE,
                        NotReadyCause.values(),
                        Map.of(NotReadyCause.NODE_INCOMPLETE, 1, NotReadyCause.NODE_UNKNOWN, 2)),
                Arguments.of(
                        EnumNumbers.REFUSAL_CAUSE,
                        RefusalCause.values(),
                        Map.ofEntries(
                                Map.entry(RefusalCause.POD_UNKNOWN, 1),
                                Map.entry(RefusalCause.NOT_A_VM, 2),
                                Map.entry(RefusalCause.ZERO_COMPUTE_UNIT, 3),
                                Map.entry(RefusalCause.ZERO_TARGET, 4),
                                Map.entry(RefusalCause.OVERFLOW, 5),
                                Map.entry(RefusalCause.NOT_MIGRATABLE, 6),
                                Map.entry(RefusalCause.RECOVERED, 7),
                                Map.entry(RefusalCause.NODE_NOT_READY, 8),
                                Map.entry(RefusalCause.ALREADY_MOVING, 9),
                                Map.entry(RefusalCause.ATTEMPT_OVER, 10),
                                Map.entry(RefusalCause.VM_UNOBSERVED, 11))),
                Arguments.of(
                        EnumNumbers.OUTCOME,
                        Rule.values(),
                        Map.of(
                                Rule.NOTED, 1,
                                Rule.GRANTED, 2,
                                Rule.CUT_TO_ROOM, 3,
                                Rule.CUT_TO_MAX, 4,
                                Rule.MIGRATING, 5,
                                Rule.NODE_NOT_READY, 6)),
                Arguments.of(
                        EnumNumbers.NODE_READINESS,
                        NodeReadiness.values(),
                        Map.of(NodeReadiness.READY, 1, NodeReadiness.NOT_READY, 2, NodeReadiness.GROWTH_STOPPED, 3)),
                Arguments.of(
                        EnumNumbers.AGENT_CONTACT,
                        AgentContact.values(),
                        Map.of(
                                AgentContact.RECOVERED, 1,
                                AgentContact.RECLAIMED, 2,
                                AgentContact.FOUND, 3,
                                AgentContact.SWITCHED_OFF, 4,
                                AgentContact.REQUESTED, 5)),
                Arguments.of(
                        EnumNumbers.DECISION_KIND,
                        Decision.Kind.values(),
                        Map.of(
                                Decision.Kind.SCALED_UP, 1,
                                Decision.Kind.SCALED_DOWN, 2,
                                Decision.Kind.DENIED, 3,
                                Decision.Kind.DOWNSCALE_DENIED, 4,
                                Decision.Kind.UPSCALE_REQUESTED, 5,
                                Decision.Kind.SUPERSEDED, 6,
                                Decision.Kind.CONFIG_REFUSED, 7)),
                Arguments.of(
                        EnumNumbers.MIGRATION_PHASE,
                        MigrationPhase.values(),
                        Map.ofEntries(
                                Map.entry(MigrationPhase.NEW, 1),
                                Map.entry(MigrationPhase.PENDING, 2),
                                Map.entry(MigrationPhase.RUNNING, 3),
                                Map.entry(MigrationPhase.SUCCEEDED, 4),
                                Map.entry(MigrationPhase.FAILED, 5))),
                Arguments.of(
                        EnumNumbers.MARK_CAUSE,
                        MarkMigrating.Cause.values(),
                        Map.ofEntries(
                                Map.entry(MarkMigrating.Cause.PRESSURE, 1),
                                Map.entry(MarkMigrating.Cause.ALWAYS, 2),
                                Map.entry(MarkMigrating.Cause.UNDER_WAY, 3),
                                Map.entry(MarkMigrating.Cause.BEGINNING, 4))),
                Arguments.of(
                        EnumNumbers.PRESSURE_KIND,
                        PressureDecision.Kind.values(),
                        Map.ofEntries(
                                Map.entry(PressureDecision.Kind.MOVING, 1),
                                Map.entry(PressureDecision.Kind.MOVED, 2),
                                Map.entry(PressureDecision.Kind.ADOPTED, 3),
                                Map.entry(PressureDecision.Kind.NOT_MOVED, 4),
                                Map.entry(PressureDecision.Kind.NONE_MOVES, 5))),
                Arguments.of(
                        EnumNumbers.SCALING_KIND,
                        ScalingRecorded.Kind.values(),
                        Map.of(ScalingRecorded.Kind.ACTUAL, 1, ScalingRecorded.Kind.HYPOTHETICAL, 2)),
                Arguments.of(
                        EnumNumbers.GRANT_SUFFICIENCY,
                        NearestGrant.Sufficiency.values(),
                        Map.of(
                                NearestGrant.Sufficiency.GRANTED, 1,
                                NearestGrant.Sufficiency.ANY, 2,
                                NearestGrant.Sufficiency.ALL, 3,
                                NearestGrant.Sufficiency.NONE, 4)),
                Arguments.of(
                        EnumNumbers.GRANT_CHANGE,
                        GrantChange.Kind.values(),
                        Map.ofEntries(
                                Map.entry(GrantChange.Kind.ROOM, 1),
                                Map.entry(GrantChange.Kind.WATERMARK, 2),
                                Map.entry(GrantChange.Kind.MAXIMUM, 3),
                                Map.entry(GrantChange.Kind.NODE_READY, 4),
                                Map.entry(GrantChange.Kind.LEDGER_COMPLETE, 5),
                                Map.entry(GrantChange.Kind.MIGRATION_ENDED, 6),
                                Map.entry(GrantChange.Kind.CLAIM_ENDED, 7),
                                Map.entry(GrantChange.Kind.HOLD_ENDED, 8),
                                Map.entry(GrantChange.Kind.VM_LEFT, 9),
                                Map.entry(GrantChange.Kind.VM_MOVED, 10),
                                Map.entry(GrantChange.Kind.POD_ENDED, 11),
                                Map.entry(GrantChange.Kind.TAINT_TOLERATED, 12),
                                Map.entry(GrantChange.Kind.UNCORDONED, 13),
                                Map.entry(GrantChange.Kind.NODE_ALLOWED, 14))),
                Arguments.of(
                        EnumNumbers.WAITING,
                        Waiting.values(),
                        Map.ofEntries(
                                Map.entry(Waiting.NOTHING, 1),
                                Map.entry(Waiting.METRICS, 2),
                                Map.entry(Waiting.CLAIM, 3),
                                Map.entry(Waiting.SESSION, 4),
                                Map.entry(Waiting.NODE, 5),
                                Map.entry(Waiting.PERMIT, 6),
                                Map.entry(Waiting.ROOM, 7),
                                Map.entry(Waiting.RETRY, 8),
                                Map.entry(Waiting.PERMIT_LAPSED, 9),
                                Map.entry(Waiting.PATCH, 10),
                                Map.entry(Waiting.DRIVER, 11),
                                Map.entry(Waiting.MONITOR, 12),
                                Map.entry(Waiting.DENIED_DOWNSCALE, 13),
                                Map.entry(Waiting.MIGRATION, 14),
                                Map.entry(Waiting.MAX, 15),
                                Map.entry(Waiting.SUPERSEDED, 16),
                                Map.entry(Waiting.STOPPED, 17))));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("frozen")
    <E extends Enum<E>> void everyConstantKeepsItsNumber(WireEnum<E> table, E[] constants, Map<E, Integer> numbers) {
        assertThat(numbers).containsOnlyKeys(constants);
        numbers.forEach((constant, number) -> {
            assertThat(table.number(constant)).isEqualTo(number);
            assertThat(table.constant(number)).contains(constant);
        });
    }
}
