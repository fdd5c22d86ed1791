package io.sluice.simulation.model;

import io.sluice.ledger.core.LedgerCommand;
import io.sluice.messages.ledger.MarkMigrating;
import io.sluice.messages.ledger.MarkReply;
import io.sluice.neonvm.core.ReservedWanted;
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

    private final World world;
    private final ClusterPart cluster;
    private final Link toLedger;
    private final Link fromLedger;
    private final List<Runnable> waiting = new ArrayList<>();
    private int open;
    private int life;

    Marking(World world, ClusterPart cluster) {
        this.world = world;
        this.cluster = cluster;
        toLedger = world.bus().link("cluster's marks -> ledger");
        fromLedger = world.bus().link("ledger -> cluster's marks");
    }

    void reset() {
        life++;
        open = 0;
        waiting.clear();
    }

    void ask(List<ReservedWanted> questions) {
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
    void repeat(List<ReservedWanted> questions) {
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

    private void mark(ReservedWanted question, Consumer<Optional<Resources>> answered) {
        int mine = life;
        var mark = new LedgerCommand.Mark(new MarkMigrating(
                question.sourceNode(), question.source(), MarkMigrating.Cause.UNDER_WAY, Resources.NONE));
        world.bus()
                .<MarkReply>ask(
                        toLedger,
                        fromLedger,
                        TIMEOUT,
                        answer -> answer.accept(world.ledger().run(question.sourceNode(), mark)),
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
