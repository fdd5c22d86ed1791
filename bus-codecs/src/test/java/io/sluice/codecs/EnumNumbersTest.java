package io.sluice.codecs;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.bus.WireEnum;
import io.sluice.messages.agent.Decision;
import io.sluice.messages.cluster.VmPhase;
import io.sluice.messages.ledger.KindRuling.Verdict;
import io.sluice.messages.ledger.NotReadyCause;
import io.sluice.messages.ledger.RefusalCause;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class EnumNumbersTest {
    /** A constant may be added to a table, or renamed in it; the numbers that stand here stay. */
    static Stream<Arguments> frozen() {
        return Stream.of(
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
                        Map.of(
                                RefusalCause.MEMBER_UNKNOWN, 1,
                                RefusalCause.NOT_A_VM, 2,
                                RefusalCause.ZERO_COMPUTE_UNIT, 3,
                                RefusalCause.ZERO_TARGET, 4,
                                RefusalCause.OVERFLOW, 5)),
                Arguments.of(
                        EnumNumbers.VERDICT,
                        Verdict.values(),
                        Map.of(
                                Verdict.NOTED, 1,
                                Verdict.GRANTED, 2,
                                Verdict.CUT_TO_ROOM, 3,
                                Verdict.CUT_TO_MAX, 4,
                                Verdict.MIGRATING, 5)),
                Arguments.of(
                        EnumNumbers.DECISION_KIND,
                        Decision.Kind.values(),
                        Map.of(
                                Decision.Kind.SCALED_UP, 1,
                                Decision.Kind.SCALED_DOWN, 2,
                                Decision.Kind.DENIED, 3,
                                Decision.Kind.VETOED, 4,
                                Decision.Kind.CRIED, 5,
                                Decision.Kind.SUPERSEDED, 6)));
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
