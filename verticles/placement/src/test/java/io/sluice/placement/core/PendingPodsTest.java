package io.sluice.placement.core;

import static io.sluice.placement.core.Given.cpus;
import static io.sluice.placement.core.Given.pending;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.messages.cluster.PodObserved;
import java.time.Instant;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import org.junit.jupiter.api.Test;

class PendingPodsTest {
    private static final Instant START = Instant.EPOCH;

    private final PendingPods pods = new PendingPods(1_000);

    private void waits(String uid, double cpus) {
        assertThat(pods.waits(pending(uid, cpus), START)).isTrue();
        pods.noNode(uid, "0/1 nodes", List.of("n1"));
    }

    @Test
    void wakesAPodThatFitsAgainOnlyAfterAWhile() {
        waits("p", 1);

        assertThat(pods.toWake((pod, among) -> true, START)).hasSize(1);
        assertThat(pods.toWake((pod, among) -> true, START.plusSeconds(9))).isEmpty();
        assertThat(pods.toWake((pod, among) -> true, START.plus(PendingPods.WAKE_EVERY)))
                .hasSize(1);
        pods.someNode("p");
        assertThat(pods.toWake((pod, among) -> true, START.plusSeconds(60))).isEmpty();
    }

    /** Others are excluded by the pod's scheduler, which would refuse them again. */
    @Test
    void aPodIsWokenForTheNodesThatWereRequestedForIt() {
        waits("p", 1);

        assertThat(pods.toWake((pod, among) -> among.contains("n2"), START)).isEmpty();
        assertThat(pods.toWake((pod, among) -> among.contains("n1"), START)).hasSize(1);
    }

    @Test
    void aPodThatMayRunOnManyNodesIsWokenForAny() {
        pods.waits(pending("p", 1), START);
        pods.noNode("p", "0/60 nodes", Collections.nCopies(60, "n"));

        assertThat(pods.toWake((pod, among) -> among.isEmpty(), START)).hasSize(1);
    }

    /** However many pods fit nowhere. */
    @Test
    void looksAtEveryPodInTurn() {
        for (int i = 0; i < 900; i++) {
            waits("large-" + i, 64);
        }
        waits("small", 1);
        var woken = new HashSet<String>();
        for (int second = 1; second <= 5; second++) {
            pods.toWake((pod, among) -> pod.pod().uid().equals("small"), START.plusSeconds(second))
                    .forEach(pod -> woken.add(pod.pod().uid()));
        }

        assertThat(woken).containsExactly("small");
    }

    @Test
    void listsThePodsThatWereCreatedFirst() {
        for (long created : new long[] {30, 10, 20}) {
            var pod = new PodObserved("p-" + created, "ns", "p-" + created, "", "", 1, cpus(1), created);
            assertThat(pods.waits(pod, START)).isTrue();
        }

        assertThat(pods.oldest(2)).extracting(pod -> pod.pod().uid()).containsExactly("p-10", "p-20");
    }

    @Test
    void findsAPodByItsNameInItsNamespace() {
        waits("p", 1);

        assertThat(pods.named("ns/p-name")).map(pod -> pod.pod().uid()).contains("p");
        assertThat(pods.named("other/p-name")).isEmpty();
    }

    @Test
    void refusesMorePodsThanItsLimit() {
        var few = new PendingPods(1);

        assertThat(few.waits(pending("a", 1), START)).isTrue();
        assertThat(few.waits(pending("b", 1), START)).isFalse();
        assertThat(few.waits(pending("a", 1), START)).as("a known one").isTrue();
    }
}
