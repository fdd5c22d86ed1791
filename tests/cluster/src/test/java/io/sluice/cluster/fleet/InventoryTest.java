package io.sluice.cluster.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.messages.cluster.PodObserved;
import io.sluice.messages.cluster.VmObserved;
import org.junit.jupiter.api.Test;

/** Goal: full lists contain the current objects, and versions grow with each change. */
class InventoryTest {
    private static final Fleet FLEET = new Fleet(2, 2);

    private final Inventory inventory = new Inventory(FLEET, true);

    @Test
    void aListHoldsPodsAndTheSizesOfVms() {
        inventory.bound("work", 0, Fleet.UNIT);
        inventory.resized(1, Fleet.UNIT.times(3));

        var list = inventory.nodeList(0);

        assertThat(list.pods()).extracting(PodObserved::uid).containsExactly("pod-0", "pod-1", "work");
        assertThat(list.vms()).extracting(vm -> vm.sizes().inUse()).containsExactly(Fleet.UNIT, Fleet.UNIT.times(3));
        assertThat(list.pods()).allMatch(pod -> pod.version() < list.version());
        assertThat(list.vms()).allMatch(vm -> vm.version() < list.version());
    }

    @Test
    void aVmIsListedWhereItRuns() {
        var target = inventory.target(0, "target", 1, "migration", Fleet.UNIT);
        assertThat(inventory.targets()).containsExactly(target);
        assertThat(inventory.nodeList(1).vms()).extracting(vm -> vm.vm().name()).containsExactly("vm-2", "vm-3");

        inventory.landed(0, target);

        assertThat(inventory.targets()).isEmpty();
        assertThat(inventory.podName(0)).isEqualTo("target");
        assertThat(inventory.vmIn("target")).hasValue(0);
        assertThat(inventory.nodeList(0).pods()).extracting(PodObserved::uid).containsExactly("pod-1");
        assertThat(inventory.nodeList(1).vms()).extracting(VmObserved::pod).containsExactly("target", "pod-2", "pod-3");
    }

    @Test
    void aResizedVmIsReportedOnceAsItIsThen() {
        inventory.resized(0, Fleet.UNIT.times(2));
        inventory.resized(1, Fleet.UNIT.times(2));
        inventory.resized(0, Fleet.UNIT.times(5));

        assertThat(inventory.takeResized(1))
                .singleElement()
                .extracting(vm -> vm.sizes().inUse())
                .isEqualTo(Fleet.UNIT.times(5));
        assertThat(inventory.takeResized(9)).extracting(VmObserved::pod).containsExactly("pod-1");
        assertThat(inventory.takeResized(9)).isEmpty();
    }

    @Test
    void aSlowPatchShowsLate() {
        inventory.resized(2, Fleet.UNIT.times(3));
        assertThat(inventory.takeResized(9)).isEmpty();
        assertThat(inventory.observed(2).sizes().inUse()).isEqualTo(Fleet.UNIT);

        inventory.patched();

        assertThat(inventory.takeResized(9))
                .singleElement()
                .extracting(vm -> vm.sizes().inUse())
                .isEqualTo(Fleet.UNIT.times(3));
    }

    @Test
    void whatHasEndedIsNotListed() {
        inventory.bound("work", 1, Fleet.UNIT);
        var gone = inventory.gone("work", 1);

        assertThat(gone.node()).isEqualTo("node-1");
        assertThat(inventory.ended()).containsExactly(gone);
        assertThat(inventory.podsOn(1)).extracting(PodObserved::uid).containsExactly("pod-2", "pod-3");
        assertThat(inventory.nodeList(1).version()).isGreaterThan(gone.version());
    }
}
