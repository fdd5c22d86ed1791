package io.sluice.billing.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.units.VmId;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class FullListCheckTest {
    private static final Instant T = Instant.parse("2026-03-01T00:00:00Z");

    private final FullListCheck listings = new FullListCheck();

    private void named(int... vms) {
        for (int vm : vms) {
            listings.named(new VmId("neonvm", "default", "vm-" + vm, "uid-" + vm));
        }
    }

    @Test
    void aListingOfWhichEveryVmWasHeardCounts() {
        named(1, 2, 2);
        assertThat(listings.heard(2)).isTrue();
        assertThat(listings.asks(T)).isFalse();
    }

    @Test
    void oneThatWasHeardInHalfDoesNotAndTheNextIsAskedForAtOnceAndDoes() {
        assertThat(listings.asks(T)).isTrue();
        named(2);
        assertThat(listings.heard(2)).isFalse();
        assertThat(listings.asks(T.plusMillis(1))).isTrue();
        assertThat(listings.heard(2)).as("one of its VMs may be unreadable").isTrue();
        assertThat(listings.asks(T.plusSeconds(100))).isFalse();
    }

    @Test
    void whatIsGoneDoesNotStandForWhatWasNotHeardOf() {
        named(1, 2);
        listings.struck(new VmId("neonvm", "default", "vm-2", "uid-2"));
        assertThat(listings.heard(2)).as("the second is another one").isFalse();
    }

    @Test
    void afterwardsAllCountUntilChangesAreMissed() {
        assertThat(listings.heard(0)).isTrue();
        named(1, 2);
        assertThat(listings.heard(2)).isTrue();
        named(1, 2);
        listings.missed();
        assertThat(listings.heard(2)).as("what was named before does not tell").isFalse();
    }

    @Test
    void asksNowAndThenUntilItHears() {
        assertThat(listings.asks(T)).isTrue();
        assertThat(listings.asks(T.plusSeconds(9))).isFalse();
        assertThat(listings.asks(T.plusSeconds(10))).isTrue();
        assertThat(listings.asks(T.plusSeconds(19))).isFalse();
    }
}
