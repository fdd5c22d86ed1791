package io.sluice.billing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import io.sluice.billing.core.Gap;
import io.sluice.billing.core.MeterKey;
import io.sluice.billing.core.exact.Predecessor;
import io.sluice.billing.core.exact.UsageMeterState;
import io.sluice.units.VmId;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class UsageCheckpointTest {
    private static final Instant T = Instant.parse("2026-03-01T00:00:00.123456789Z");
    private static final VmId VM = new VmId("neonvm", "default", "db", "u-1");
    private static final MeterKey KEY = new MeterKey(VM, "ep/1 \u00e9");
    private static final BillingClock.Reading STATUS = new BillingClock.Reading(T, 7, "boot");
    private static final UsageMeterState STATE = new UsageMeterState(
            KEY,
            9,
            250,
            T,
            T.plusSeconds(5),
            new BigInteger("123456789012345678901234567890"),
            5_000_000_000L,
            17,
            3,
            List.of(new UsageMeterState.Step(T.plusSeconds(6), 500), new UsageMeterState.Step(T.plusSeconds(7), 0)));
    private static final Gap DOUBT = new Gap(KEY, T, T.plusSeconds(24), 250, Gap.Cause.RESTART);

    private static Map<String, byte[]> written() {
        return new HashMap<>(UsageCheckpoint.write(
                STATUS,
                Optional.of(T),
                Optional.of(T.minusSeconds(24)),
                new UsageCheckpoint.Author("one", Set.of("one", "two")),
                Map.of(VM, Optional.of(STATE)),
                Optional.of(List.of(DOUBT))));
    }

    @Test
    void readsBackWhatWasWritten() throws Exception {
        assertThat(UsageCheckpoint.read(written()))
                .isEqualTo(new UsageCheckpoint.Read(
                        Optional.of(STATUS),
                        Optional.of(T),
                        Optional.of(T.minusSeconds(24)),
                        Predecessor.of("one", Set.of("one", "two"), T),
                        List.of(STATE),
                        List.of(DOUBT)));
    }

    @Test
    void uncertainGapsThatHaveNotChangedStayAsTheyWere() {
        assertThat(UsageCheckpoint.write(
                        STATUS,
                        Optional.of(T),
                        Optional.empty(),
                        UsageCheckpoint.Author.ALONE,
                        Map.of(),
                        Optional.empty()))
                .containsOnlyKeys("exact/clock");
    }

    @Test
    void aSignOfLifeShowsUntilWhenItsWriterLivedAndChangesNothingElse() throws Exception {
        var checkpoints = written();
        var sign = new Predecessor(
                "three",
                List.of(
                        new Predecessor.View(T, Set.of("three")),
                        new Predecessor.View(T.plusSeconds(2), Set.of("three", "two"))),
                T.plusSeconds(9));
        checkpoints.putAll(UsageCheckpoint.alive(sign));
        var read = UsageCheckpoint.read(checkpoints);
        assertThat(read.writer()).isEqualTo(sign);
        assertThat(read.receivedUntil()).hasValue(T);
        assertThat(read.meters()).containsExactly(STATE);
    }

    @Test
    void aSignOfLifeThatIsOlderThanAllElseIsIgnored() throws Exception {
        var checkpoints = written();
        checkpoints.putAll(UsageCheckpoint.alive(Predecessor.of("three", Set.of(), T.minusSeconds(1))));
        assertThat(UsageCheckpoint.read(checkpoints).writer().name()).isEqualTo("one");
    }

    @Test
    void aWriterFromBeforeThereWereNamesBilledNothingOfItsOwn() throws Exception {
        var checkpoints = written();
        checkpoints.put("exact/clock", """
            {"format":2,"bill":"2026-03-01T00:00:00Z","machineNanos":7,"boot":"boot"}
            """.getBytes(StandardCharsets.UTF_8));
        assertThat(UsageCheckpoint.read(checkpoints).writer().name()).isEmpty();
    }

    @Test
    void namesTheEntryThatIsNoneOfIts() {
        for (var entry : List.of("exact/clock", "exact/meter/u-1", "exact/inheritedGaps", "exact/alive")) {
            var checkpoints = written();
            checkpoints.put(
                    entry, "{\"format\":2,\"bill\":3,\"driver\":4,\"gaps\":[{}]}".getBytes(StandardCharsets.UTF_8));
            assertThatIOException()
                    .isThrownBy(() -> UsageCheckpoint.read(checkpoints))
                    .withMessageContaining(entry);
        }
    }

    @Test
    void refusesAnUnknownFormat() {
        var checkpoints = written();
        checkpoints.put("exact/inheritedGaps", "{\"format\":1}".getBytes(StandardCharsets.UTF_8));
        assertThatIOException()
                .isThrownBy(() -> UsageCheckpoint.read(checkpoints))
                .withMessageContaining("exact/inheritedGaps")
                .withMessageContaining("has format 1, and this version reads 2");
    }
}
