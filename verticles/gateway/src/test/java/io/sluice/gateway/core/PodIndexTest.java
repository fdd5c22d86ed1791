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
    private final PodIndex book = new PodIndex();

    @Test
    void findsAVmsPodWhicheverFactCameFirst() {
        book.seen(vm("a", "n1", 5));
        book.seen(pod("a", "n1", 4));
        book.seen(pod("b", "n2", 4));
        book.seen(vm("b", "n2", 5));
        assertThat(book.find("default", "a-0")).isEqualTo(new PodIndex.Place.Found(PodObservations.member("a")));
        assertThat(book.find("default", "b-0")).isInstanceOf(PodIndex.Place.Found.class);
        assertThat(book.find("other", "a-0")).isInstanceOf(PodIndex.Place.NotListed.class);
    }

    @Test
    void saysThatAPodIsUnknownOnlyAfterAListing() {
        assertThat(book.find("default", "a-0")).isEqualTo(new PodIndex.Place.NotListed());
        book.listed();
        assertThat(book.find("default", "a-0")).isEqualTo(new PodIndex.Place.Unknown());
        assertThat(book.find("", "")).isEqualTo(new PodIndex.Place.Unknown());
    }

    @Test
    void tellsWhatIsMissing() {
        book.listed();
        book.seen(vm("waiting", "", 1));
        book.seen(plainPod("plain", "n1"));
        book.seen(pod("unheard", "n1", 1));
        assertThat(book.find("default", "waiting-0")).isEqualTo(new PodIndex.Place.NoNode());
        assertThat(book.find("default", "plain")).isEqualTo(new PodIndex.Place.NoVm());
        assertThat(book.find("default", "unheard-0")).isEqualTo(new PodIndex.Place.VmNotObserved());
    }

    @Test
    void ignoresOlderFactsAndFactsAfterTheEnd() {
        book.listed();
        book.seen(vm("a", "n1", 1));
        book.seen(pod("a", "n2", 9));
        book.seen(pod("a", "n1", 8));
        assertThat(((PodIndex.Place.Found) book.find("default", "a-0")).member().node())
                .isEqualTo("n2");
        book.gone(new PodGone("pod-a", "n2", 10));
        book.seen(pod("a", "n2", 11));
        assertThat(book.find("default", "a-0")).isEqualTo(new PodIndex.Place.NoNode());
        book.gone(new VmGone(PodObservations.id("a"), 12));
        assertThat(book.find("default", "a-0")).isEqualTo(new PodIndex.Place.Unknown());
        assertThat(book.size()).isZero();
    }

    @Test
    void prefersTheNewerOfTwoPodsWithOneName() {
        book.seen(vm("a", "n1", 1));
        book.seen(pod("a", "n1", 1));
        book.seen(new PodObserved("pod-a2", "default", "a-0", "n2", "a", 7, PodObservations.UNIT, 0));
        book.seen(pod("a", "n1", 2));
        assertThat(((PodIndex.Place.Found) book.find("default", "a-0")).member().uid())
                .isEqualTo("pod-a2");
        book.gone(new PodGone("pod-a", "n1", 8));
        assertThat(((PodIndex.Place.Found) book.find("default", "a-0")).member().uid())
                .isEqualTo("pod-a2");
    }

    @Test
    void dropsWhatWasNotHeardOfForLongestWhenItIsFull() {
        var small = new PodIndex(2);
        small.listed();
        small.seen(plainPod("a", "n1"));
        small.seen(plainPod("b", "n1"));
        small.seen(plainPod("a", "n1"));
        small.seen(plainPod("c", "n1"));
        assertThat(small.size()).isEqualTo(2);
        assertThat(small.find("default", "a")).isEqualTo(new PodIndex.Place.NoVm());
        assertThat(small.find("default", "b")).isEqualTo(new PodIndex.Place.Unknown());
    }
}
