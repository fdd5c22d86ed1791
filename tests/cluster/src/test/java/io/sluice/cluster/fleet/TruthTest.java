package io.sluice.cluster.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.devices.GpuShare;
import io.sluice.units.Resources;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Goal: the checker finds each kind of broken invariant, and reports nothing that is correct. */
class TruthTest {
    private static final Fleet FLEET = new Fleet(2, 2);
    private static final Resources TWO = Fleet.UNIT.times(2);

    private final Truth truth = new Truth(FLEET);

    @Test
    void growthWithinTheTotalIsFair() {
        permitted(0, Fleet.UNIT.times(7), Fleet.UNIT.times(7));
        permitted(2, Fleet.UNIT.times(9), Fleet.UNIT.times(7));

        assertThat(truth.takeWrongs()).isEmpty();
        assertThat(truth.used(2)).isEqualTo(Fleet.UNIT.times(7));
        assertThat(truth.answers()).isEqualTo(2);
    }

    @Test
    void roomThatIsPromisedTwiceIsDetected() {
        permitted(0, Fleet.UNIT.times(7), Fleet.UNIT.times(7));
        permitted(1, TWO, TWO);

        assertThat(truth.isClean()).isFalse();
        assertThat(truth.takeWrongs())
                .singleElement()
                .asString()
                .startsWith("vm-1 on node-0: the node has promised 2250m/9Gi, and has 2/8Gi");
        assertThat(truth.isClean()).isTrue();
    }

    @Test
    void whatWasGivenBackMayBePromisedAgain() {
        permitted(0, Fleet.UNIT.times(7), Fleet.UNIT.times(7));
        truth.lower(0, TWO);
        permitted(1, Fleet.UNIT.times(6), Fleet.UNIT.times(6));

        assertThat(truth.takeWrongs()).isEmpty();
    }

    @Test
    void morePermittedThanRequestedIsDetected() {
        permitted(0, TWO, Fleet.UNIT.times(3));

        assertThat(truth.takeWrongs()).hasSize(2);
    }

    @Test
    void aDecreaseThatIsRefusedIsDetected() {
        permitted(0, Fleet.UNIT.times(3), Fleet.UNIT.times(3));
        truth.lower(0, TWO);
        permitted(0, TWO, Fleet.UNIT.times(3));

        assertThat(truth.takeWrongs()).hasSize(2);
    }

    @Test
    void aPermitBelowWhatIsUsedIsDetected() {
        permitted(0, Fleet.UNIT.times(3), Fleet.UNIT.times(3));
        permitted(0, Fleet.UNIT.times(5), TWO);

        assertThat(truth.takeWrongs()).hasSize(2);
    }

    @Test
    void aGpuThatIsPromisedTwiceIsDetected() {
        truth.held(0, "hold", Fleet.UNIT, List.of(new GpuShare(0, 0, "g", Fleet.GPU_MIB - 1, 0)));
        truth.held(0, "small", Fleet.UNIT, List.of(new GpuShare(0, 0, "g", 1, 0)));
        assertThat(truth.isClean()).isTrue();

        truth.held(0, "more", Fleet.UNIT, List.of(new GpuShare(0, 0, "g", 1, 0)));
        assertThat(truth.takeWrongs()).singleElement().asString().startsWith("more on node-0: of g 1001 MiB");
    }

    @Test
    void whatIsHeldCountsUntilItIsFree() {
        truth.held(0, "hold", Fleet.UNIT.times(6));
        assertThat(truth.isClean()).isTrue();
        truth.held(0, "more", Fleet.UNIT);
        assertThat(truth.takeWrongs())
                .singleElement()
                .asString()
                .startsWith("more on node-0: the node has promised 2250m/9Gi, and has 2/8Gi");

        truth.free(0, "more");
        truth.free(0, "hold");
        permitted(0, Fleet.UNIT.times(7), Fleet.UNIT.times(7));

        assertThat(truth.isClean()).isTrue();
    }

    @Test
    void roomThatIsHeldForAMigrationIsNoRoomToGrowInto() {
        truth.held(1, "migration", TWO);
        permitted(2, Fleet.UNIT.times(6), Fleet.UNIT.times(6));

        assertThat(truth.takeWrongs()).singleElement().asString().startsWith("vm-2 on node-1: the node has promised");
    }

    @Test
    void aVmThatMovedCountsWhereItIs() {
        permitted(0, TWO, TWO);
        truth.held(1, "migration", TWO);
        truth.moved(0, 1, "migration");

        permitted(1, Fleet.UNIT.times(8), Fleet.UNIT.times(8));
        assertThat(truth.isClean()).isTrue();
        permitted(2, Fleet.UNIT.times(6), Fleet.UNIT.times(6));

        assertThat(truth.nodeOf(0)).isEqualTo(1);
        assertThat(truth.takeWrongs()).singleElement().asString().startsWith("vm-2 on node-1: the node has promised");
    }

    @Test
    void aVmThatMovesWithMoreThanWasHeldForItIsDetected() {
        permitted(0, TWO, TWO);
        truth.held(1, "migration", Fleet.UNIT);
        truth.moved(0, 1, "migration");

        assertThat(truth.takeWrongs()).singleElement().asString().startsWith("vm-0 on node-0: it migrates with");
    }

    @Test
    void aVmThatMovesIsGrantedNoMore() {
        truth.marked(0);
        permitted(0, TWO, Fleet.UNIT);
        assertThat(truth.isClean()).isTrue();
        permitted(0, TWO, TWO);

        assertThat(truth.takeWrongs()).singleElement().asString().startsWith("vm-0 on node-0: it migrates, had");
        truth.unmarked(0);
        permitted(0, Fleet.UNIT.times(3), Fleet.UNIT.times(3));
        assertThat(truth.isClean()).isTrue();
    }

    @Test
    void whatWasRequestedBeforeTheMarkMayBeMore() {
        long requested = System.nanoTime();
        truth.marked(0);
        truth.permitted(0, TWO, TWO, requested);

        assertThat(truth.isClean()).isTrue();
    }

    @Test
    void withLostStateHoldsGoAndPodsStay() {
        truth.held(0, "hold", TWO);
        truth.held(0, "pod", TWO);
        truth.bound(0, "pod");
        truth.marked(0);

        truth.stateLost();
        permitted(0, Fleet.UNIT.times(5), Fleet.UNIT.times(5));
        assertThat(truth.isClean()).isTrue();
        permitted(1, TWO, TWO);

        assertThat(truth.takeWrongs()).hasSize(1);
    }

    private void permitted(int vm, Resources target, Resources permit) {
        truth.permitted(vm, target, permit, System.nanoTime());
    }
}
