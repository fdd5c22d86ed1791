package io.sluice.billing;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.billing.core.MeterKey;
import io.sluice.billing.core.UsageRecord;
import io.sluice.billing.core.VmUse;
import io.sluice.billing.core.exact.MeterEntry;
import io.sluice.billing.core.exact.UsageMeterState;
import io.sluice.billing.core.reference.ReferenceSchedule;
import io.sluice.units.VmId;
import java.math.BigInteger;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The schedule: samples at 0.5, 4, 8, ... s, ends of windows at 24.5, 48.5, ... s. */
class ReferenceMeteringTest {
    private static final Instant T = Instant.parse("2026-03-01T00:00:00Z");
    private static final VmId VM = new VmId("neonvm", "default", "db", "u-1");

    private final ReferenceMetering metering = metering(List.of());

    private static ReferenceMetering metering(Collection<VmId> exact) {
        var metering = notLeading();
        metering.lead(new TakeOver(UsageCheckpoint.Read.NOTHING, exact, false, Duration.ZERO), T);
        return metering;
    }

    private static ReferenceMetering notLeading() {
        var schedule = new ReferenceSchedule(T, Duration.ofSeconds(4), Duration.ofSeconds(24));
        return new ReferenceMetering(schedule, Duration.ofSeconds(5), () -> new BillingClock.Reading(T, 7, "boot"));
    }

    private static Instant at(double seconds) {
        return T.plusNanos((long) (seconds * 1e9));
    }

    private static VmUse observation(long version, long milliCpu) {
        return new VmUse(VM, version, Optional.of(new VmUse.Use("ep", milliCpu)), Instant.EPOCH);
    }

    private static void list(ReferenceMetering metering, double now) {
        metering.observed(observation(1, 1_000), at(now));
        metering.listed(at(now));
        metering.watched("neonvm", at(now));
    }

    /** Advances the time in steps of half a second; changes are received at each step. */
    private void receive(double from, double to) {
        for (double now = from; now <= to; now += 0.5) {
            metering.watched("neonvm", at(now));
            metering.tick(at(now));
        }
    }

    private List<UsageRecord> charges(double now) {
        return metering.commit(at(now)).charges();
    }

    @Test
    void billsTheLesserOfTwoLooksAtTheEndsOfWindows() {
        list(metering, 0);
        receive(0.5, 6);
        metering.observed(observation(2, 4_000), at(6));
        receive(6.5, 24);
        assertThat(charges(24)).isEmpty();
        receive(24.5, 24.5);

        assertThat(charges(24.5)).singleElement().satisfies(charge -> {
            assertThat(charge.start()).isEqualTo(at(0.5));
            assertThat(charge.stop()).isEqualTo(at(24.5));
            // One vCPU from 0.5 to 8 s, four until 24 s.
            assertThat(charge.milliCpuNs()).isEqualTo(new BigInteger("71500000000000"));
            assertThat(charge.computeSeconds()).isEqualTo(72);
            assertThat(charge.activeSeconds()).isEqualTo(24);
        });
        assertThat(charges(25)).isEmpty();
    }

    @Test
    void anOlderObservationChangesNothing() {
        list(metering, 0);
        metering.observed(observation(5, 2_000), at(0));
        metering.observed(observation(4, 9_000), at(0));
        receive(0.5, 24.5);

        assertThat(charges(25)).extracting(UsageRecord::computeSeconds).containsExactly(47L);
    }

    @Test
    void noVmIsMeteredBeforeAFullList() {
        metering.observed(observation(1, 1_000), at(0));
        receive(0.5, 10);
        assertThat(metering.census()).isEqualTo(new Metering.Census(0, Metering.Census.RESTART, 0, 0));
        metering.listed(at(10));
        receive(10.5, 24.5);

        assertThat(metering.census().missing()).isEmpty();
        assertThat(charges(25)).extracting(UsageRecord::activeSeconds).containsExactly(12L);
    }

    @Test
    void aSilenceEndsTheChainUntilAFullListAfterIt() {
        list(metering, 0);
        receive(0.5, 8);
        metering.tick(at(14));
        assertThat(metering.census().missing()).isEqualTo(Metering.Census.WATCH);
        receive(14.5, 20);
        assertThat(metering.census().missing()).as("changes may be lost").isEqualTo(Metering.Census.WATCH);
        metering.observed(observation(9, 2_000), at(20));
        metering.listed(at(20));
        receive(20.5, 48.5);

        // One vCPU from 0.5 to 8 s, two from 24 to 48 s.
        assertThat(charges(49)).extracting(UsageRecord::computeSeconds).containsExactly(8L, 48L);
    }

    @Test
    void windowsGrowWhileTheyAreHeld() {
        list(metering, 0);
        metering.hold(true);
        receive(0.5, 60);
        assertThat(charges(60)).isEmpty();
        assertThat(metering.nextTick(at(60)))
                .as("no tick for an end while windows are held")
                .isEqualTo(at(64));
        metering.hold(false);
        assertThat(metering.nextTick(at(60))).isBeforeOrEqualTo(at(60));
        receive(60.5, 60.5);

        assertThat(charges(61)).singleElement().satisfies(charge -> {
            assertThat(charge.start()).isEqualTo(at(0.5));
            assertThat(charge.stop()).isEqualTo(at(60.5));
            assertThat(charge.computeSeconds()).isEqualTo(60);
        });
    }

    @Test
    void theRestOfTheWindowIsBilledAtAStop() {
        list(metering, 0);
        receive(0.5, 10);
        metering.flush(at(11));

        assertThat(charges(11)).singleElement().satisfies(charge -> {
            assertThat(charge.stop()).isEqualTo(at(11));
            assertThat(charge.milliCpuNs()).isEqualTo(new BigInteger("10500000000000"));
        });
    }

    @Test
    void billsOnlyWhileItLeads() {
        var other = notLeading();
        list(other, 0);
        other.tick(at(0.5));
        assertThat(other.census().metered()).isZero();

        list(metering, 0);
        metering.tick(at(0.5));
        assertThat(metering.census().metered()).isEqualTo(1);
    }

    @Test
    void whatTwoFullListsDoNotNameIsGone() {
        list(metering, 0);
        assertThat(metering.listed(at(1))).isEmpty();
        assertThat(metering.listed(at(2))).containsExactly(VM);
        receive(2, 24.5);
        assertThat(charges(25)).isEmpty();
    }

    @Test
    void aVmThatTheFullListAfterASilenceDoesNotNameIsNotBilledOn() {
        list(metering, 0);
        receive(0.5, 8);
        metering.tick(at(14));
        metering.listed(at(15));
        receive(15, 48.5);

        assertThat(charges(49)).extracting(UsageRecord::computeSeconds).containsExactly(8L);
    }

    @Test
    void oneDriverIsSampledWhileAnotherIsSilent() {
        var pod = new VmId("pod", "default", "web", "u-2");
        metering.observed(new VmUse(pod, 1, Optional.of(new VmUse.Use("pods", 1_000)), Instant.EPOCH), at(0));
        list(metering, 0);
        metering.watched("pod", at(0));
        receive(0.5, 24.5);

        assertThat(metering.census().missing()).isEqualTo(Metering.Census.WATCH);
        assertThat(charges(25))
                .extracting(charge -> charge.key().endpoint() + " " + charge.activeSeconds())
                .containsExactlyInAnyOrder("ep 24", "pods 4");
    }

    /**
     * Otherwise a VM that does not change until the arithmetic is exact again would be billed for all that time again.
     */
    @Test
    void metersOfTheExactArithmeticEndWhereThisOneBegins() throws Exception {
        var state = new UsageMeterState(new MeterKey(VM, "ep"), 1, 1_000, T, T, T, BigInteger.ZERO, 0, 0, 0, List.of());
        var checkpoints = new HashMap<>(UsageCheckpoint.write(
                new BillingClock.Reading(T, 1, "boot"),
                Optional.of(T),
                Optional.of(T),
                Map.of(VM, new MeterEntry.Running(state))));
        var after = metering(UsageCheckpoint.read(checkpoints).vms());

        after.commit(at(4)).checkpoints().forEach((name, checkpoint) -> {
            checkpoints.remove(name);
            if (checkpoint.length > 0) {
                checkpoints.put(name, checkpoint);
            }
        });

        assertThat(UsageCheckpoint.read(checkpoints))
                .isEqualTo(new UsageCheckpoint.Read(
                        Optional.of(new BillingClock.Reading(T, 7, "boot")),
                        Optional.empty(),
                        Optional.empty(),
                        List.of(),
                        Map.of()));
    }
}
