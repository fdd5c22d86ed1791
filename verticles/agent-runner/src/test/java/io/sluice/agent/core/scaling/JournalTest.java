package io.sluice.agent.core.scaling;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.sluice.agent.core.journal.JournalPlayback;
import io.sluice.agent.journal.JournalText;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Goal: a core that gets a journal's updates makes the journal's decisions, whatever the network does; and nearly all
 * of them if the recording began during the first core's life. Method: short seeded histories in virtual time; each
 * journal is written as text and read again. A failure names its seed.
 */
class JournalTest {
    private static final int HISTORIES = 40;
    private static final Duration WITH_FAULTS = Duration.ofSeconds(45);
    private static final ObjectMapper MAPPER = new ObjectMapper();

    private Optional<ScalingCore> core = Optional.empty();
    private int compared;
    private int unknown;

    @Test
    void everyDecisionIsMadeAgainFromTheStart() {
        assertThat(others(Duration.ZERO)).isEmpty();
        assertThat(compared).isGreaterThan(5_000);
        assertThat(unknown).isZero();
    }

    @Test
    void aCoreThatIsDescribedDuringItsLifeDecidesNearlyAlwaysTheSame() {
        assertThat(others(Duration.ofSeconds(20))).hasSizeLessThan(compared / 200);
        assertThat(compared).isGreaterThan(unknown);
    }

    /** The same journals without the scrapes: the tests above can fail. */
    @Test
    void aJournalWithoutItsSamplesGivesOtherDecisions() {
        var steps = new LossyWorld(1, PermitSafety.STRICT).recorded(Duration.ZERO, WITH_FAULTS);
        var without = steps.stream()
                .flatMap(step -> step.entries().stream())
                .filter(entry -> !(entry instanceof CoreEntry.Sampled))
                .toList();

        assertThat(without.stream().filter(this::isOther).count()).isPositive();
    }

    /** The decisions that are made otherwise, of all histories. */
    private List<String> others(Duration after) {
        return LongStream.range(0, HISTORIES)
                .boxed()
                .flatMap(seed -> others(seed, after))
                .toList();
    }

    private Stream<String> others(long seed, Duration after) {
        core = Optional.empty();
        return new LossyWorld(seed, PermitSafety.STRICT)
                .recorded(after, WITH_FAULTS).stream()
                        .flatMap(step -> readAgain(step.entries()).stream()
                                .filter(this::isOther)
                                .map(entry -> "seed " + seed + ", step " + step.number() + ": " + entry));
    }

    /** Plays the entry, and returns whether it is a decision that is made otherwise. */
    private boolean isOther(CoreEntry entry) {
        switch (entry) {
            case CoreEntry.Began(var config, var vm, var _) -> core = Optional.of(new ScalingCore(config, vm));
            case CoreEntry.Decided recorded -> {
                compared += core.isPresent() ? 1 : 0;
                unknown += core.isPresent() ? 0 : 1;
                return core.filter(again -> !CoreEntry.Decided.of(again.nextActions(recorded.at()), recorded.at())
                                .equals(recorded))
                        .isPresent();
            }
            default -> core.ifPresent(again -> JournalPlayback.play(entry, again));
        }
        return false;
    }

    private static List<CoreEntry> readAgain(List<CoreEntry> entries) {
        try {
            var read = JournalText.read(MAPPER.readTree(JournalText.write(entries)));
            assertThat(read).isEqualTo(entries);
            return read;
        } catch (JsonProcessingException malformed) {
            throw new IllegalStateException(malformed);
        }
    }
}
