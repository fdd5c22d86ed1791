package io.sluice.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.units.Resources;
import org.junit.jupiter.api.Test;

/** Goal: the checker sees each kind of promise that is not kept, and nothing in what is fair. */
class TruthTest {
    private static final Fleet FLEET = new Fleet(2, 2);
    private static final Resources TWO = Fleet.UNIT.times(2);

    private final Truth truth = new Truth(FLEET);

    @Test
    void growthWithinTheTotalIsFair() {
        truth.permitted(0, Fleet.UNIT.times(7), Fleet.UNIT.times(7));
        truth.permitted(2, Fleet.UNIT.times(9), Fleet.UNIT.times(7));

        assertThat(truth.takeWrongs()).isEmpty();
        assertThat(truth.used(2)).isEqualTo(Fleet.UNIT.times(7));
        assertThat(truth.answers()).isEqualTo(2);
    }

    @Test
    void roomThatIsPromisedTwiceIsSeen() {
        truth.permitted(0, Fleet.UNIT.times(7), Fleet.UNIT.times(7));
        truth.permitted(1, TWO, TWO);

        assertThat(truth.isClean()).isFalse();
        assertThat(truth.takeWrongs())
                .singleElement()
                .asString()
                .startsWith("pod-1 on node-0: the VMs of node-0 use or may use 2250m/9Gi, and it has 2/8Gi");
        assertThat(truth.isClean()).isTrue();
    }

    @Test
    void whatWasGivenBackMayBePromisedAgain() {
        truth.permitted(0, Fleet.UNIT.times(7), Fleet.UNIT.times(7));
        truth.lower(0, TWO);
        truth.permitted(1, Fleet.UNIT.times(6), Fleet.UNIT.times(6));

        assertThat(truth.takeWrongs()).isEmpty();
    }

    @Test
    void morePermittedThanAskedIsSeen() {
        truth.permitted(0, TWO, Fleet.UNIT.times(3));

        assertThat(truth.takeWrongs()).hasSize(2);
    }

    @Test
    void aDecreaseThatIsRefusedIsSeen() {
        truth.permitted(0, Fleet.UNIT.times(3), Fleet.UNIT.times(3));
        truth.lower(0, TWO);
        truth.permitted(0, TWO, Fleet.UNIT.times(3));

        assertThat(truth.takeWrongs()).hasSize(2);
    }

    @Test
    void aPermitBelowWhatIsUsedIsSeen() {
        truth.permitted(0, Fleet.UNIT.times(3), Fleet.UNIT.times(3));
        truth.permitted(0, Fleet.UNIT.times(5), TWO);

        assertThat(truth.takeWrongs()).hasSize(2);
    }
}
