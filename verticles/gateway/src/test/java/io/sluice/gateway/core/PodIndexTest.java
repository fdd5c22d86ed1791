package io.sluice.gateway.core;

import static io.sluice.gateway.core.PodObservations.plainPod;
import static io.sluice.gateway.core.PodObservations.pod;
import static io.sluice.gateway.core.PodObservations.vm;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.messages.cluster.PodGone;
import io.sluice.messages.cluster.PodObserved;
import io.sluice.messages.cluster.VmGone;
import org.junit.jupiter.api.Test;

class PodIndexTest {
    private final PodIndex index = new PodIndex();

    @Test
    void findsAVmsPodWhicheverObservationCameFirst() {
        index.observed(vm("a", "n1", 5));
        index.observed(pod("a", "n1", 4));
        index.observed(pod("b", "n2", 4));
        index.observed(vm("b", "n2", 5));
        assertThat(index.find("default", "a-0")).isEqualTo(new PodIndex.Place.Found(PodObservations.reservation("a")));
        assertThat(index.find("default", "b-0")).isInstanceOf(PodIndex.Place.Found.class);
        assertThat(index.find("other", "a-0")).isInstanceOf(PodIndex.Place.NotListed.class);
    }

    @Test
    void reportsThatAPodIsUnknownOnlyAfterAFullList() {
        assertThat(index.find("default", "a-0")).isEqualTo(new PodIndex.Place.NotListed());
        index.listed();
        assertThat(index.find("default", "a-0")).isEqualTo(new PodIndex.Place.Unknown());
        assertThat(index.find("", "")).isEqualTo(new PodIndex.Place.Unknown());
    }

    @Test
    void reportsWhatIsMissing() {
        index.listed();
        index.observed(vm("waiting", "", 1));
        index.observed(plainPod("plain", "n1"));
        index.observed(pod("unheard", "n1", 1));
        assertThat(index.find("default", "waiting-0")).isEqualTo(new PodIndex.Place.NoNode());
        assertThat(index.find("default", "plain")).isEqualTo(new PodIndex.Place.NoVm());
        assertThat(index.find("default", "unheard-0")).isEqualTo(new PodIndex.Place.VmNotObserved());
    }

    @Test
    void ignoresOlderObservationsAndObservationsAfterTheEnd() {
        index.listed();
        index.observed(vm("a", "n1", 1));
        index.observed(pod("a", "n2", 9));
        index.observed(pod("a", "n1", 8));
        assertThat(((PodIndex.Place.Found) index.find("default", "a-0")).pod().node())
                .isEqualTo("n2");
        index.gone(new PodGone("pod-a", "n2", 10));
        index.observed(pod("a", "n2", 11));
        assertThat(index.find("default", "a-0")).isEqualTo(new PodIndex.Place.NoNode());
        index.gone(new VmGone(PodObservations.id("a"), 12));
        assertThat(index.find("default", "a-0")).isEqualTo(new PodIndex.Place.Unknown());
        assertThat(index.size()).isZero();
    }

    @Test
    void prefersTheNewerOfTwoPodsWithOneName() {
        index.observed(vm("a", "n1", 1));
        index.observed(pod("a", "n1", 1));
        index.observed(new PodObserved("pod-a2", "default", "a-0", "n2", "a", 7, PodObservations.UNIT, 0));
        index.observed(pod("a", "n1", 2));
        assertThat(((PodIndex.Place.Found) index.find("default", "a-0")).pod().uid())
                .isEqualTo("pod-a2");
        index.gone(new PodGone("pod-a", "n1", 8));
        assertThat(((PodIndex.Place.Found) index.find("default", "a-0")).pod().uid())
                .isEqualTo("pod-a2");
    }

    @Test
    void dropsWhatWasNotObservedForLongestWhenItIsFull() {
        var small = new PodIndex(2);
        small.listed();
        small.observed(plainPod("a", "n1"));
        small.observed(plainPod("b", "n1"));
        small.observed(plainPod("a", "n1"));
        small.observed(plainPod("c", "n1"));
        assertThat(small.size()).isEqualTo(2);
        assertThat(small.find("default", "a")).isEqualTo(new PodIndex.Place.NoVm());
        assertThat(small.find("default", "b")).isEqualTo(new PodIndex.Place.Unknown());
    }
}
