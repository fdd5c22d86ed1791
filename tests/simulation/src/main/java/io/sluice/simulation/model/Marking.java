package io.sluice.simulation.model;

import io.sluice.ledger.core.LedgerCommand;
import io.sluice.messages.ledger.MarkMigrating;
import io.sluice.messages.ledger.MarkReply;
import io.sluice.messages.ledger.Snapshot;
import io.sluice.messages.ledger.UnmarkMigrating;
import io.sluice.neonvm.core.observed.FullList;
import io.sluice.neonvm.core.observed.MarkEnds;
import io.sluice.neonvm.core.observed.ReservationLookup;
import io.sluice.simulation.engine.Link;
import io.sluice.simulation.engine.Seconds;
import io.sluice.units.Resources;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/** Sends the migration marks for the informers, and receives with the replies what is reserved on the source. */
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

    void request(List<ReservationLookup> requests) {
        for (var request : requests) {
            open++;
            mark(request, reserved -> {
                cluster.report(cluster.model().answered(request.target(), reserved));
                open--;
                if (open == 0) {
                    var released = List.copyOf(waiting);
                    waiting.clear();
                    released.forEach(Runnable::run);
                }
            });
        }
    }

    /** Marks again: if ledger state was lost since, more may be reserved by now. */
    void repeat(List<ReservationLookup> requests) {
        for (var request : requests) {
            mark(
                    request,
                    reserved -> reserved.ifPresent(
                            now -> cluster.report(cluster.model().markedAgain(request.target(), now))));
        }
    }

    /** Runs that once all marks have a reply. */
    void whenQuiet(Runnable then) {
        if (open == 0) {
            then.run();
        } else {
            waiting.add(then);
        }
    }

    /** A full list begins: requests the current marks. */
    void look() {
        looks++;
        before = Optional.empty();
        int look = looks;
        world.bus()
                .<Snapshot>request(
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

    /** Migrations are requested: drops the marks that were read before, as later marks may be newer. */
    void migrationsRequested() {
        looks++;
    }

    /** A full list is complete: removes the marks that existed before it and whose migrations it does not contain. */
    void listed(FullList found) {
        before.ifPresent(
                marks -> takeBack(MarkEnds.of(marks, found.allMigrations().items())));
        before = Optional.empty();
    }

    /** Removes marks whose migrations have ended. */
    void takeBack(List<UnmarkMigrating> marks) {
        marks.forEach(mark -> takeBack(mark, 1));
    }

    private void takeBack(UnmarkMigrating mark, int number) {
        int mine = life;
        world.happened(new Happening.UnmarkSent(mark, true));
        world.bus()
                .<MarkReply>request(
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

    private void mark(ReservationLookup request, Consumer<Optional<Resources>> answered) {
        int mine = life;
        var mark = new LedgerCommand.Mark(new MarkMigrating(
                request.sourceNode(),
                request.source(),
                MarkMigrating.Cause.UNDER_WAY,
                Resources.NONE,
                request.attempt()));
        world.bus()
                .<MarkReply>request(
                        toLedger,
                        fromLedger,
                        TIMEOUT,
                        answer -> world.ledger().serve(request.sourceNode(), mark, answer),
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
