package io.sluice.ledger.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.ledger.core.InvariantChecks;
import io.sluice.ledger.core.LastPermitTrust;
import io.sluice.ledger.core.LedgerCommand;
import io.sluice.ledger.core.LedgerNotice;
import io.sluice.ledger.core.LedgerRules;
import io.sluice.ledger.core.NodeLedger;
import io.sluice.ledger.core.state.NodeChange;
import io.sluice.ledger.core.state.NodeState;
import io.sluice.shell.Portions;
import io.sluice.wire.UnreadableMessageException;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.Random;
import java.util.Set;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Whatever happens to a node, its state is the same after encoding and decoding, and so is everything that follows; a
 * failure prints the seed and the step.
 */
class WireHistoriesTest {
    private static final int STEPS = 400;
    private static final LedgerRules RULES = new LedgerRules(
            Duration.ofSeconds(10), 0.8, Portions.NOTHING, LastPermitTrust.RECOVERY, InvariantChecks.WHOLE);
    private static final NodeStateCodec STATES = new NodeStateCodec();
    private static final LedgerCommandCodec COMMANDS = new LedgerCommandCodec();
    private static final NodeChangeCodec CHANGES = new NodeChangeCodec();
    private static final ReplyCodec REPLIES = new ReplyCodec();

    static LongStream seeds() {
        return LongStream.rangeClosed(1, 100);
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void ledgerStateThatTravelsAfterEachCommandStaysTheSame(long seed) {
        new History(seed).play();
    }

    @Test
    void ledgerStateOfAnyHistoryCutAnywhereIsRefused() {
        var history = new History(7);
        history.play();
        var bytes = STATES.encode(history.state);

        assertThat(history.state.reservations().size()).isPositive();
        for (int length = 0; length < bytes.length(); length++) {
            var cut = bytes.getBuffer(0, length);
            assertThatThrownBy(() -> STATES.decode(cut))
                    .as("cut to %d bytes", length)
                    .isInstanceOf(UnreadableMessageException.class);
        }
    }

    /** Otherwise the histories would show less than they seem to. */
    @Test
    void theHistoriesComeToEveryKindOfNotice() {
        Set<Class<?>> noticed = new HashSet<>();
        seeds().forEach(seed -> {
            var history = new History(seed);
            history.play();
            noticed.addAll(history.noticed);
        });

        var expected = new HashSet<Class<?>>(Set.of(LedgerNotice.class.getPermittedSubclasses()));
        expected.remove(LedgerNotice.InvariantsBroken.class);
        // A store finds this, not a command.
        expected.remove(LedgerNotice.StateGone.class);
        assertThat(noticed).isEqualTo(expected);
    }

    private static final class History {
        private final long seed;
        private final Random random;
        private final RandomCommands commands;
        private final NodeLedger ledger = new NodeLedger(RULES);
        private final Set<Class<?>> noticed = new HashSet<>();
        private NodeState state = NodeState.blank(RandomCommands.NODE);
        private NodeState travelled = state;
        private long incarnation;
        private Instant now = Instant.parse("2026-11-21T00:00:00Z");

        History(long seed) {
            this.seed = seed;
            random = new Random(seed);
            commands = new RandomCommands(random);
        }

        void play() {
            for (int step = 0; step < STEPS; step++) {
                now = now.plusNanos(random.nextLong(3_000_000_000L));
                apply(commands.next(state), "seed %d step %d".formatted(seed, step));
            }
        }

        private <A> void apply(LedgerCommand<A> command, String where) {
            var received = COMMANDS.decode(COMMANDS.encode(command));
            assertThat(received).as(where).isEqualTo(command);
            incarnation++;
            var outcome = ledger.apply(state, command, now, incarnation);
            assertThat(ledger.apply(travelled, received, now, incarnation))
                    .as(where)
                    .isEqualTo(outcome);

            assertThat(REPLIES.decode(REPLIES.encode(outcome.reply())))
                    .as(where)
                    .isEqualTo(outcome.reply());
            outcome.notices().forEach(notice -> noticed.add(notice.getClass()));

            var change = CHANGES.decode(CHANGES.encode(NodeChange.between(state, outcome.state())));
            assertThat(change.on(travelled)).as(where).isEqualTo(outcome.state());

            state = outcome.state();
            var bytes = STATES.encode(state);
            travelled = STATES.decode(bytes);
            assertThat(travelled).as(where).isEqualTo(state);
            assertThat(STATES.encode(travelled)).as(where).isEqualTo(bytes);
        }
    }
}
