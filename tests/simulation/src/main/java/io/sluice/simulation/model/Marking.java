package io.sluice.simulation.model;

import io.sluice.ledger.core.LedgerCommand;
import io.sluice.messages.ledger.MarkMigrating;
import io.sluice.messages.ledger.MarkReply;
import io.sluice.messages.ledger.Snapshot;
import io.sluice.messages.ledger.UnmarkMigrating;
import io.sluice.neonvm.core.FullList;
import io.sluice.neonvm.core.MarkEnds;
import io.sluice.neonvm.core.ReservationLookup;
import io.sluice.simulation.engine.Link;
import io.sluice.simulation.engine.Seconds;
import io.sluice.units.Resources;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/** Marks VMs that move, and so learns what they have reserved where they leave. */
final class Marking {
    private static final long TIMEOUT = Seconds.of(1);
    private static final int TRIES_MAX = 5;

    private final World world;
    private final ClusterPart cluster;
    private final Link toLedger;
    private final Link fromLedger;
    private final List<Runnable> waiting = new ArrayList<>();
    private Optional<Snapshot> before = Optional.empty();
    private int open;
    private int looks;
    private int life;

    Marking(World world, ClusterPart cluster) {
        this.world = world;
        this.cluster = cluster;
        toLedger = world.faults().link("cluster's marks -> ledger", Seconds.of(20));
        fromLedger = world.bus().link("ledger -> cluster's marks");
    }

    void reset() {
        life++;
        open = 0;
        looks++;
        before = Optional.empty();
        waiting.clear();
    }

    void ask(List<ReservationLookup> questions) {
        for (var question : questions) {
            open++;
            mark(question, reserved -> {
                cluster.tell(cluster.model().answered(question.target(), reserved));
                open--;
                if (open == 0) {
                    var released = List.copyOf(waiting);
                    waiting.clear();
                    released.forEach(Runnable::run);
                }
            });
        }
    }

    /** Marks again; where the books were lost since, more may be reserved by now. */
    void repeat(List<ReservationLookup> questions) {
        for (var question : questions) {
            mark(
                    question,
                    reserved -> reserved.ifPresent(
                            now -> cluster.tell(cluster.model().markedAgain(question.target(), now))));
        }
    }

    /** Once everything that was asked is answered. */
    void whenQuiet(Runnable then) {
        if (open == 0) {
            then.run();
        } else {
            waiting.add(then);
        }
    }

    /** A listing begins: what marks stand is asked for. */
    void look() {
        looks++;
        before = Optional.empty();
        int look = looks;
        world.bus()
                .<Snapshot>ask(
                        toLedger,
                        fromLedger,
                        TIMEOUT,
                        answer -> world.ledger().snapshot("", answer),
                        marks -> {
                            if (look == looks) {
                                before = Optional.of(marks);
                            }
                        },
                        () -> {});
    }

    /** Migrations are asked for: marks that are heard of later may be newer. */
    void migrationsAsked() {
        looks++;
    }

    /** A listing is through: marks that stood before and whose migrations it does not hold go. */
    void listed(FullList found) {
        before.ifPresent(
                marks -> takeBack(MarkEnds.of(marks, found.allMigrations().items())));
        before = Optional.empty();
    }

    /** Takes back marks whose migrations are over. */
    void takeBack(List<UnmarkMigrating> marks) {
        marks.forEach(mark -> takeBack(mark, 1));
    }

    private void takeBack(UnmarkMigrating mark, int number) {
        int mine = life;
        world.happened(new Happening.UnmarkSent(mark, true));
        world.bus()
                .<MarkReply>ask(
                        toLedger,
                        fromLedger,
                        TIMEOUT,
                        answer -> world.ledger().serve(mark.node(), new LedgerCommand.Unmark(mark), answer),
                        reply -> {},
                        () -> world.time().in(Seconds.of(1L << (number - 1)), () -> {
                            if (mine == life && number < TRIES_MAX) {
                                takeBack(mark, number + 1);
                            }
                        }));
    }

    private void mark(ReservationLookup question, Consumer<Optional<Resources>> answered) {
        int mine = life;
        var mark = new LedgerCommand.Mark(new MarkMigrating(
                question.sourceNode(),
                question.source(),
                MarkMigrating.Cause.UNDER_WAY,
                Resources.NONE,
                question.attempt()));
        world.bus()
                .<MarkReply>ask(
                        toLedger,
                        fromLedger,
                        TIMEOUT,
                        answer -> world.ledger().serve(question.sourceNode(), mark, answer),
                        reply -> {
                            if (mine == life) {
                                answered.accept(
                                        reply instanceof MarkReply.Marked(var reserved)
                                                ? Optional.of(reserved)
                                                : Optional.empty());
                            }
                        },
                        () -> {
                            if (mine == life) {
                                answered.accept(Optional.empty());
                            }
                        });
    }
}
