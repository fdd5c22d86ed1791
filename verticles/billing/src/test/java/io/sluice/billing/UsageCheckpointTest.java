package io.sluice.billing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import io.sluice.billing.core.MeterKey;
import io.sluice.billing.core.exact.MeterEntry;
import io.sluice.billing.core.exact.UsageMeterState;
import io.sluice.units.VmId;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
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
            T.plusSeconds(4),
            T,
            T.plusSeconds(5),
            new BigInteger("123456789012345678901234567890"),
            5_000_000_000L,
            17,
            3,
            List.of(new UsageMeterState.Step(T.plusSeconds(6), 500), new UsageMeterState.Step(T.plusSeconds(7), 0)));
    private static final VmId OTHER = new VmId("neonvm", "default", "db-2", "u-2");
    private static final MeterEntry.Ended ENDED = new MeterEntry.Ended(11, T.plusSeconds(3));

    private static Map<String, byte[]> written() {
        return new HashMap<>(UsageCheckpoint.write(
                STATUS,
                Optional.of(T),
                Optional.of(T.minusSeconds(24)),
                Map.of(VM, new MeterEntry.Running(STATE), OTHER, ENDED)));
    }

    @Test
    void readsBackWhatWasWritten() throws Exception {
        assertThat(UsageCheckpoint.read(written()))
                .isEqualTo(new UsageCheckpoint.Read(
                        Optional.of(STATUS),
                        Optional.of(T),
                        Optional.of(T.minusSeconds(24)),
                        List.of(STATE),
                        Map.of(OTHER, ENDED)));
    }

    @Test
    void removesWhatIsForgotten() {
        var written =
                UsageCheckpoint.write(STATUS, Optional.of(T), Optional.empty(), Map.of(VM, new MeterEntry.Forgotten()));
        assertThat(written.get("exact/meter/u-1")).isEmpty();
    }

    @Test
    void namesTheEntryThatIsNoneOfIts() {
        for (var entry : List.of("exact/clock", "exact/meter/u-1", "exact/meter/u-2")) {
            var checkpoints = written();
            checkpoints.put(entry, "{\"format\":2,\"bill\":3,\"driver\":4}".getBytes(StandardCharsets.UTF_8));
            assertThatIOException()
                    .isThrownBy(() -> UsageCheckpoint.read(checkpoints))
                    .withMessageContaining(entry);
        }
    }

    @Test
    void refusesAnUnknownFormat() {
        var checkpoints = written();
        checkpoints.put("exact/meter/u-1", "{\"format\":1}".getBytes(StandardCharsets.UTF_8));
        assertThatIOException()
                .isThrownBy(() -> UsageCheckpoint.read(checkpoints))
                .withMessageContaining("exact/meter/u-1")
                .withMessageContaining("has format 1, and this version reads 2");
    }
}
