package io.sluice.pods.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.shell.pods.ScaledPod;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class EvictionChoiceTest {
    private static final Instant START = Instant.parse("2026-01-01T12:00:00Z");
    private static final Duration AFTER = Duration.ofMinutes(5);
    private static final int REPORT_S = 30;

    private final EvictionChoice choice = new EvictionChoice(AFTER, 1);
    private final List<ScaledPod> pods = new ArrayList<>();
    private Instant now = START;

    private static ScaledPod pod(String uid, String owner, String node) {
        return pod(uid, owner, node, "Running", "{\"evict\":true}");
    }

    private static ScaledPod pod(String uid, String owner, String node, String phase, String config) {
        var pod = Pods.running("500m/1Gi", "", "Burstable");
        pod.withObject("/metadata").put("uid", uid).put("name", uid);
        pod.withObject("/metadata/annotations").put("autoscaling.sluice.io/config", config);
        pod.withObject("/spec").put("nodeName", node);
        pod.withObject("/status").put("phase", phase);
        if (!owner.isEmpty()) {
            pod.withObject("/metadata")
                    .putArray("ownerReferences")
                    .addObject()
                    .put("uid", owner)
                    .put("controller", true);
        }
        return Pods.scaled(pod);
    }

    /** Time passes, while these pods are reported to lack room, as statuses of runners repeat it. */
    private void lacking(Duration time, String... uids) {
        for (var end = now.plus(time); now.isBefore(end); now = now.plusSeconds(REPORT_S)) {
            report(uids);
        }
        report(uids);
    }

    private void report(String... uids) {
        for (var uid : uids) {
            choice.lacksRoom(uid, "no room", now);
        }
    }

    private Optional<EvictionChoice.Due> next() {
        return choice.next(pods, now);
    }

    private String nextUid() {
        return next().map(due -> due.pod().id().uid()).orElse("");
    }

    /** The next one leaves, and the API server shows it no more. */
    private void evictNext() {
        var due = next().orElseThrow();
        choice.evicted(due, List.copyOf(pods), now);
        pods.remove(due.pod());
    }

    @Test
    void aPodIsDueOnceItHasLackedRoomForLongEnough() {
        pods.add(pod("a", "o", "n"));
        lacking(AFTER.minusSeconds(REPORT_S), "a");
        assertThat(nextUid()).isEmpty();

        lacking(Duration.ofSeconds(REPORT_S), "a");
        assertThat(next()).hasValueSatisfying(due -> {
            assertThat(due.waited()).isEqualTo(AFTER);
            assertThat(due.reason()).isEqualTo("no room");
            assertThat(due.node()).isEqualTo("n");
        });
    }

    @Test
    void whatHasGotItsRoomOrIsNotReportedAnyMoreBeginsAnew() {
        pods.add(pod("a", "o", "n"));
        lacking(AFTER, "a");
        choice.lacksNothing("a");
        assertThat(nextUid()).isEmpty();
        lacking(AFTER.minusSeconds(REPORT_S), "a");
        assertThat(nextUid()).isEmpty();

        now = now.plus(EvictionChoice.REPORTED_WITHIN).plusSeconds(1);
        report("a");
        now = now.plusSeconds(REPORT_S);
        assertThat(nextUid()).as("a silence is no shortage").isEmpty();
    }

    @Test
    void onlyWhatAllowsItAndIsMadeAnewIsEvicted() {
        pods.add(pod("silent", "o1", "n", "Running", "{}"));
        pods.add(pod("invalid", "o2", "n", "Running", "{\"evict\":\"yes\"}"));
        pods.add(pod("alone", "", "n"));
        pods.add(pod("pending", "o3", "n", "Pending", "{\"evict\":true}"));
        lacking(AFTER, "silent", "invalid", "alone", "pending");
        assertThat(nextUid()).isEmpty();
    }

    @Test
    void thatWhichHasWaitedLongestLeavesFirstAndOthersOfTheNodeAMinuteLater() {
        pods.add(pod("a", "o1", "n"));
        pods.add(pod("b", "o2", "n"));
        pods.add(pod("c", "o3", "other"));
        lacking(Duration.ofMinutes(1), "b");
        lacking(AFTER, "a", "b", "c");
        assertThat(nextUid()).isEqualTo("b");
        evictNext();

        assertThat(nextUid()).as("of another node").isEqualTo("c");
        evictNext();
        assertThat(nextUid()).as("one of a node within a minute").isEmpty();
        lacking(Duration.ofMinutes(1), "a");
        assertThat(nextUid()).isEqualTo("a");
    }

    @Test
    void oneOfAnOwnerLeavesAtATime() {
        pods.add(pod("a", "o", "n1"));
        pods.add(pod("b", "o", "n2"));
        lacking(AFTER, "a", "b");
        evictNext();
        lacking(Duration.ofMinutes(2), "b");
        assertThat(nextUid()).as("it is not replaced yet").isEmpty();

        pods.add(pod("a2", "o", "n3", "Pending", "{}"));
        assertThat(nextUid()).as("its successor does not run yet").isEmpty();

        pods.set(pods.size() - 1, pod("a2", "o", "n3"));
        assertThat(nextUid()).isEqualTo("b");
    }

    @Test
    void anOwnerWithFewerPodsIsNotWaitedForForEver() {
        pods.add(pod("a", "o", "n1"));
        pods.add(pod("b", "o", "n2"));
        lacking(AFTER, "a", "b");
        evictNext();
        lacking(EvictionChoice.REPLACED_WITHIN.minusSeconds(REPORT_S), "b");
        assertThat(nextUid()).isEmpty();
        lacking(Duration.ofSeconds(REPORT_S), "b");
        assertThat(nextUid()).isEqualTo("b");
    }

    @Test
    void eachRefusalDoublesTheWaitUpToABound() {
        pods.add(pod("a", "o", "n"));
        lacking(AFTER, "a");
        var first = choice.refused(next().orElseThrow(), now);
        assertThat(first).isEqualTo(EvictionChoice.AGAIN_AFTER);
        assertThat(nextUid()).isEmpty();

        now = now.plus(first);
        assertThat(choice.refused(next().orElseThrow(), now)).isEqualTo(first.multipliedBy(2));
        Duration last = first;
        for (int refusal = 0; refusal < 10; refusal++) {
            lacking(last.multipliedBy(2), "a");
            last = choice.refused(next().orElseThrow(), now);
        }
        assertThat(last).isEqualTo(first.multipliedBy(32));
    }
}
