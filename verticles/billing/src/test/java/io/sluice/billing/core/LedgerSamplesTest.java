package io.sluice.billing.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigInteger;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class LedgerSamplesTest {
    private static final Instant T = Instant.parse("2026-03-01T00:00:00Z");
    private static final Duration KEEP = Duration.ofSeconds(60);
    private static final String VM = "default/db";

    private final LedgerSamples samples = new LedgerSamples(KEEP);

    private static Instant at(long seconds) {
        return T.plusSeconds(seconds);
    }

    private void look(long seconds, long milliCpu) {
        samples.add(at(seconds), Map.of(VM, milliCpu));
    }

    private Optional<Long> heldCpuSeconds(long from, long to) {
        return samples.held(VM, at(from), at(to))
                .map(held -> held.divide(BigInteger.valueOf(1_000_000_000_000L)).longValueExact());
    }

    @ParameterizedTest
    @CsvSource({
        // from, to, held: samples every 4 s had 1, 1, 5, 2, 2, 2 vCPU
        "0, 4, 4",
        "4, 8, 20",
        "8, 12, 20",
        "12, 16, 20",
        "16, 20, 8",
        "5, 6, 5",
        "3, 5, 6",
        "0, 20, 72",
        "7, 7, 0"
    })
    void theMostCountsThatTheLooksAroundSaw(long from, long to, long held) {
        int[] saw = {1, 1, 5, 2, 2, 2};
        for (int i = 0; i < saw.length; i++) {
            look(4L * i, 1_000L * saw[i]);
        }

        assertThat(heldCpuSeconds(from, to)).contains(held);
    }

    @Test
    void nothingIsKnownOfATimeThatWasNotLookedAt() {
        assertThat(heldCpuSeconds(0, 0)).isEmpty();
        look(4, 1_000);
        look(8, 1_000);

        assertThat(heldCpuSeconds(3, 8)).isEmpty();
        assertThat(heldCpuSeconds(4, 9)).isEmpty();
        assertThat(heldCpuSeconds(4, 8)).contains(4L);
    }

    @Test
    void aVmThatWasNotNamedHadNothing() {
        look(0, 1_000);
        samples.add(at(4), Map.of());
        samples.add(at(8), Map.of("default/other", 1_000L));
        samples.add(at(12), Map.of());

        assertThat(heldCpuSeconds(8, 12)).contains(0L);
        assertThat(samples.held("default/unheard", at(0), at(12))).contains(BigInteger.ZERO);
    }

    @Test
    void aLookThatComesLateChangesNothing() {
        look(0, 1_000);
        look(8, 1_000);
        look(4, 9_000);
        look(8, 9_000);

        assertThat(heldCpuSeconds(0, 8)).contains(8L);
    }

    @Test
    void whatIsOlderThanAnyRequestNeedsIsForgotten() {
        for (int look = 0; look <= 100; look++) {
            look(look, look < 50 ? 1_000 : 2_000);
        }

        assertThat(heldCpuSeconds(39, 41)).isEmpty();
        assertThat(heldCpuSeconds(40, 100)).contains(9 + 2 * 51L);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void equalsTheResultOfCountingEachPairOfSamples(long seed) {
        var random = new Random(seed);
        var looks = new ArrayList<Instant>();
        var saw = new ArrayList<Map<String, Long>>();
        var now = T;
        for (int i = 0; i < 400; i++) {
            now = now.plusNanos(random.nextLong(1, 3_000_000_000L));
            var held = new HashMap<String, Long>();
            for (int vm = 0; vm < 3; vm++) {
                if (random.nextInt(4) > 0) {
                    held.put("vm-" + vm, 250L * random.nextInt(4));
                }
            }
            looks.add(now);
            saw.add(held);
            samples.add(now, held);
            var to = looks.get(Math.max(0, i - random.nextInt(3)));
            var from = to.minusNanos(random.nextLong(40_000_000_000L));
            for (var vm : List.of("vm-0", "vm-1", "vm-2")) {
                var expected = from.isBefore(looks.getFirst())
                        ? Optional.<BigInteger>empty()
                        : Optional.of(slowly(looks, saw, vm, from, to));
                assertThat(samples.held(vm, from, to))
                        .as("seed %d, sample %d", seed, i)
                        .isEqualTo(expected);
            }
        }
    }

    private static BigInteger slowly(
            List<Instant> looks, List<Map<String, Long>> saw, String vm, Instant from, Instant to) {
        var sum = BigInteger.ZERO;
        for (int i = 0; i + 1 < looks.size(); i++) {
            var first = looks.get(i).isBefore(from) ? from : looks.get(i);
            var last = looks.get(i + 1).isAfter(to) ? to : looks.get(i + 1);
            long most = 0;
            for (int look = Math.max(0, i - 1); look <= i + 1; look++) {
                most = Math.max(most, saw.get(look).getOrDefault(vm, 0L));
            }
            if (first.isBefore(last)) {
                sum = sum.add(BigInteger.valueOf(most)
                        .multiply(
                                BigInteger.valueOf(Duration.between(first, last).toNanos())));
            }
        }
        return sum;
    }
}
