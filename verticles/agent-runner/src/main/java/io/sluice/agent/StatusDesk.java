package io.sluice.agent;

import io.sluice.agent.core.StatusBoard;
import io.sluice.agent.core.runner.Standing;
import io.sluice.messages.agent.RunnerStatus;
import io.sluice.messages.agent.Waiting;
import java.time.InstantSource;
import java.util.function.Consumer;

/** Says where the VMs stand, at the pace of the board. */
final class StatusDesk {
    private final StatusBoard board;
    private final InstantSource clock;
    private final Consumer<RunnerStatus> say;

    StatusDesk(StatusBoard board, InstantSource clock, Consumer<RunnerStatus> say) {
        this.board = board;
        this.clock = clock;
        this.say = say;
    }

    /** A VM stands so now. One that nobody scales any more is forgotten once that is said. */
    void note(Standing standing) {
        var now = clock.instant();
        var message =
                standing.cause().waiting() == Waiting.STOPPED ? board.ended(standing, now) : board.note(standing, now);
        message.ifPresent(say);
    }

    /** To be called each {@link StatusBoard#PACE}. */
    void tick() {
        board.due(clock.instant()).forEach(say);
    }

    /** What was held back is said now, as nobody will ask again. */
    void close() {
        board.due(clock.instant().plus(StatusBoard.PACE)).forEach(say);
    }

    StatusBoard.Census census() {
        return board.census(clock.instant());
    }
}
