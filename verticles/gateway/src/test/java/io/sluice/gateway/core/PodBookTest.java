package io.sluice.gateway.core;

import static io.sluice.gateway.core.Facts.plainPod;
import static io.sluice.gateway.core.Facts.pod;
import static io.sluice.gateway.core.Facts.vm;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.messages.cluster.PodGone;
import io.sluice.messages.cluster.PodSeen;
import io.sluice.messages.cluster.VmGone;
import org.junit.jupiter.api.Test;

class PodBookTest {
    private final PodBook book = new PodBook();

    @Test
    void findsAVmsPodWhicheverFactCameFirst() {
        book.seen(vm("a", "n1", 5));
        book.seen(pod("a", "n1", 4));
        book.seen(pod("b", "n2", 4));
        book.seen(vm("b", "n2", 5));
        assertThat(book.find("default", "a-0")).isEqualTo(new PodBook.Place.Found(Facts.member("a")));
        assertThat(book.find("default", "b-0")).isInstanceOf(PodBook.Place.Found.class);
        assertThat(book.find("other", "a-0")).isInstanceOf(PodBook.Place.NotListed.class);
    }

    @Test
    void saysThatAPodIsUnknownOnlyAfterAListing() {
        assertThat(book.find("default", "a-0")).isEqualTo(new PodBook.Place.NotListed());
        book.listed();
        assertThat(book.find("default", "a-0")).isEqualTo(new PodBook.Place.Unknown());
        assertThat(book.find("", "")).isEqualTo(new PodBook.Place.Unknown());
    }

    @Test
    void tellsWhatIsMissing() {
        book.listed();
        book.seen(vm("waiting", "", 1));
        book.seen(plainPod("plain", "n1"));
        book.seen(pod("unheard", "n1", 1));
        assertThat(book.find("default", "waiting-0")).isEqualTo(new PodBook.Place.NoNode());
        assertThat(book.find("default", "plain")).isEqualTo(new PodBook.Place.NoVm());
        assertThat(book.find("default", "unheard-0")).isEqualTo(new PodBook.Place.VmUnheard());
    }

    @Test
    void ignoresOlderFactsAndFactsAfterTheEnd() {
        book.listed();
        book.seen(vm("a", "n1", 1));
        book.seen(pod("a", "n2", 9));
        book.seen(pod("a", "n1", 8));
        assertThat(((PodBook.Place.Found) book.find("default", "a-0")).member().node())
                .isEqualTo("n2");
        book.gone(new PodGone("pod-a", "n2", 10));
        book.seen(pod("a", "n2", 11));
        assertThat(book.find("default", "a-0")).isEqualTo(new PodBook.Place.NoNode());
        book.gone(new VmGone(Facts.id("a"), 12));
        assertThat(book.find("default", "a-0")).isEqualTo(new PodBook.Place.Unknown());
        assertThat(book.size()).isZero();
    }

    @Test
    void prefersTheNewerOfTwoPodsWithOneName() {
        book.seen(vm("a", "n1", 1));
        book.seen(pod("a", "n1", 1));
        book.seen(new PodSeen("pod-a2", "default", "a-0", "n2", "a", 7, Facts.UNIT, 0));
        book.seen(pod("a", "n1", 2));
        assertThat(((PodBook.Place.Found) book.find("default", "a-0")).member().uid())
                .isEqualTo("pod-a2");
        book.gone(new PodGone("pod-a", "n1", 8));
        assertThat(((PodBook.Place.Found) book.find("default", "a-0")).member().uid())
                .isEqualTo("pod-a2");
    }

    @Test
    void dropsWhatWasNotHeardOfForLongestWhenItIsFull() {
        var small = new PodBook(2);
        small.listed();
        small.seen(plainPod("a", "n1"));
        small.seen(plainPod("b", "n1"));
        small.seen(plainPod("a", "n1"));
        small.seen(plainPod("c", "n1"));
        assertThat(small.size()).isEqualTo(2);
        assertThat(small.find("default", "a")).isEqualTo(new PodBook.Place.NoVm());
        assertThat(small.find("default", "b")).isEqualTo(new PodBook.Place.Unknown());
    }
}
