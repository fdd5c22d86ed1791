package io.sluice.agent.scheduler.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Which scheduler is tried, in which version, and when no request is sent. */
class SchedulerPreferenceTest {
    private static final Instant NOW = Instant.ofEpochSecond(1_000);
    private static final SchedulerAddress A = new SchedulerAddress(false, "10.0.0.1", 10_299);
    private static final SchedulerAddress B = new SchedulerAddress(false, "10.0.0.2", 10_299);
    private static final SchedulerAddress D = new SchedulerAddress(false, "10.0.0.4", 10_299);
    private static final SchedulerAddress C = new SchedulerAddress(true, "::1", 10_299);

    @Test
    void prefersTheOthersToOneWithoutAReplyUntilItIsForgivenOrReplies() {
        var preference = new SchedulerPreference();
        preference.failed(A, NOW);
        assertThat(inOrder(preference, NOW, A, B, D)).containsExactly(B, D, A);
        preference.failed(B, NOW);
        preference.answered(A);
        assertThat(inOrder(preference, NOW, A, B, D)).containsExactly(A, D, B);
        assertThat(inOrder(preference, NOW.plus(SchedulerPreference.SHUNNED_FOR), A, B, D))
                .containsExactly(A, B, D);
    }

    @Test
    void shunsForLongerASchedulerThatFailsAgainUntilItReplies() {
        var preference = new SchedulerPreference();
        var now = NOW;
        for (int seconds : new int[] {5, 10, 20, 40, 40}) {
            preference.failed(A, now);
            preference.failed(A, now.plusMillis(1));
            assertThat(inOrder(preference, now.plusSeconds(seconds).minusNanos(1), A, B))
                    .containsExactly(B, A);
            now = now.plusSeconds(seconds);
            assertThat(inOrder(preference, now, A, B)).containsExactly(A, B);
        }
        preference.answered(A);
        preference.failed(A, now);
        assertThat(inOrder(preference, now.plusSeconds(5), A, B)).containsExactly(A, B);
    }

    @Test
    void spreadsRequestsOverThoseThatDidNotFailAndWereNotTried() {
        var preference = new SchedulerPreference();
        assertThat(preference.candidates(List.of(A, B, D), true, Set.of(), NOW)).containsExactly(A, B, D);
        preference.failed(A, NOW);
        assertThat(preference.candidates(List.of(A, B, D), true, Set.of(), NOW)).containsExactly(B, D);
        assertThat(preference.candidates(List.of(A, B, D), true, Set.of(B), NOW))
                .containsExactly(D);
        assertThat(preference.candidates(List.of(A, B, D), true, Set.of(B, D), NOW))
                .containsExactly(A);
        assertThat(preference.candidates(List.of(A, B, D), true, Set.of(A, B, D), NOW))
                .isEmpty();
        preference.failed(B, NOW);
        preference.failed(D, NOW);
        assertThat(preference.candidates(List.of(A, B, D), true, Set.of(D), NOW))
                .containsExactly(A, B);
    }

    @Test
    void doesNotMixThoseWithTlsAndThoseWithout() {
        var preference = new SchedulerPreference();
        assertThat(preference.candidates(List.of(A, C, B), true, Set.of(), NOW)).containsExactly(A, B);
        assertThat(inOrder(preference, NOW, A, C, B)).containsExactly(A, C, B);
    }

    @Test
    void forgetsSchedulersThatAreNotInTheDirectoryAnyMore() {
        var preference = new SchedulerPreference();
        preference.failed(A, NOW);
        assertThat(inOrder(preference, NOW, B)).containsExactly(B);
        assertThat(inOrder(preference, NOW, A, B)).containsExactly(A, B);
    }

    /** The order in which one request would try them. */
    private static List<SchedulerAddress> inOrder(
            SchedulerPreference preference, Instant now, SchedulerAddress... known) {
        var tried = new LinkedHashSet<SchedulerAddress>();
        for (int tries = 0; tries < known.length; tries++) {
            tried.addAll(preference.candidates(List.of(known), false, tried, now));
        }
        return List.copyOf(tried);
    }

    @Test
    void usesTheOlderVersionWhereTheNewerWasRefusedAndTriesAgainLater() {
        var dialects = new ProtocolVersions();
        assertThat(dialects.of(A, NOW)).isEqualTo(7);
        assertThat(dialects.refused(A, 7, NOW)).isEqualTo(6);
        assertThat(dialects.of(A, NOW)).isEqualTo(6);
        assertThat(dialects.of(B, NOW)).isEqualTo(7);
        assertThat(dialects.of(A, NOW.plus(ProtocolVersions.REMEMBERED_FOR))).isEqualTo(7);
    }

    @Test
    void usesTheNewerVersionAgainForASchedulerThatRefusesTheOlder() {
        var dialects = new ProtocolVersions();
        dialects.refused(A, 7, NOW);
        assertThat(dialects.refused(A, 6, NOW)).isEqualTo(7);
        assertThat(dialects.of(A, NOW)).isEqualTo(7);
    }

    @Test
    void remembersTheVersionsOfSoManySchedulersOnly() {
        var dialects = new ProtocolVersions();
        dialects.refused(A, 7, NOW);
        for (int port = 1; port <= ProtocolVersions.REMEMBERED_MAX; port++) {
            dialects.refused(new SchedulerAddress(false, "h", port), 7, NOW);
        }
        assertThat(dialects.of(A, NOW)).isEqualTo(7);
        assertThat(dialects.of(new SchedulerAddress(false, "h", 1), NOW)).isEqualTo(6);
    }

    @Test
    void waitsAsLongAsTheReplyRequestsButAMinuteAtMost() {
        var gate = new RetryGate(2);
        gate.refused("vm", Duration.ofSeconds(2), "full", NOW);
        assertThat(gate.waiting("vm", NOW.plusMillis(1999))).isPresent();
        assertThat(gate.waiting("other", NOW)).isEmpty();
        assertThat(gate.waiting("vm", NOW.plusSeconds(2))).isEmpty();
        gate.refused("vm", Duration.ofDays(2), "full", NOW);
        assertThat(gate.waiting("vm", NOW.plusSeconds(59))).isPresent();
        assertThat(gate.waiting("vm", NOW.plusSeconds(60))).isEmpty();
    }

    @Test
    void remembersSoManyWaitsOnly() {
        var gate = new RetryGate(2);
        for (var vm : List.of("a", "b", "c")) {
            gate.refused(vm, Duration.ofSeconds(2), "full", NOW);
        }
        assertThat(gate.waiting("a", NOW)).isEmpty();
        assertThat(gate.waiting("b", NOW)).isPresent();
        assertThat(gate.waiting("c", NOW)).isPresent();
    }

    @Test
    void prefersTheNewestPodThatIsReady() {
        var old = new SchedulerPod("old", NOW, "10.0.0.1", true);
        var newer = new SchedulerPod("newer", NOW.plusSeconds(1), "10.0.0.2", true);
        var newest = new SchedulerPod("newest", NOW.plusSeconds(2), "10.0.0.3", false);
        var nowhere = new SchedulerPod("nowhere", NOW.plusSeconds(3), "", true);
        assertThat(SchedulerPod.usable(List.of(old, nowhere, newest, newer))).containsExactly(newer, old);
    }
}
