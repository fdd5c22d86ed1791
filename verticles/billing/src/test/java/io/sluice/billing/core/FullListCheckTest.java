package io.sluice.billing.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.units.VmId;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class FullListCheckTest {
    private static final Instant T = Instant.parse("2026-03-01T00:00:00Z");

    private final FullListCheck check = new FullListCheck();

    private void named(int... vms) {
        for (int vm : vms) {
            check.named(new VmId("neonvm", "default", "vm-" + vm, "uid-" + vm));
        }
    }

    @Test
    void aFullListOfWhichEveryVmArrivedCounts() {
        named(1, 2, 2);
        assertThat(check.received(2)).isTrue();
        assertThat(check.requests(T)).isFalse();
    }

    @Test
    void aHalfReceivedListDoesNotCountAndTheNextIsRequestedAtOnceAndDoes() {
        assertThat(check.requests(T)).isTrue();
        named(2);
        assertThat(check.received(2)).isFalse();
        assertThat(check.requests(T.plusMillis(1))).isTrue();
        assertThat(check.received(2)).as("one of its VMs may be unreadable").isTrue();
        assertThat(check.requests(T.plusSeconds(100))).isFalse();
    }

    /** A full list counts its NeonVMs; scaled pods come after them, and instances of workers at any time. */
    @Test
    void vmsOfOtherDriversDoNotReplaceOneThatDidNotArrive() {
        named(1, 2);
        for (int pod = 0; pod < 5; pod++) {
            check.named(new VmId("pod", "default", "pod-" + pod, "uid-pod-" + pod));
        }
        assertThat(check.received(3)).isFalse();
    }

    @Test
    void aVmThatIsGoneDoesNotReplaceOneThatDidNotArrive() {
        named(1, 2);
        check.struck(new VmId("neonvm", "default", "vm-2", "uid-2"));
        assertThat(check.received(2)).as("the second VM is another one").isFalse();
    }

    @Test
    void afterwardsAllCountUntilChangesAreMissed() {
        assertThat(check.received(0)).isTrue();
        named(1, 2);
        assertThat(check.received(2)).isTrue();
        named(1, 2);
        check.missed();
        assertThat(check.received(2)).as("earlier observations do not count").isFalse();
    }

    @Test
    void requestsNowAndThenUntilAListArrives() {
        assertThat(check.requests(T)).isTrue();
        assertThat(check.requests(T.plusSeconds(9))).isFalse();
        assertThat(check.requests(T.plusSeconds(10))).isTrue();
        assertThat(check.requests(T.plusSeconds(19))).isFalse();
    }
}
