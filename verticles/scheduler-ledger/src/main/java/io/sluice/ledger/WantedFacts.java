package io.sluice.ledger;

import io.sluice.shell.LogKeys;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Wants all facts anew when some could not be kept, such as while the books change hands, or when somebody asks about a
 * node whose books are not there, such as after they were lost with the processes that kept them. Nobody waits for an
 * answer to a fact, so this is how they come back. Said and wanted at most every five seconds, and ever more seldom
 * while it does not help.
 */
final class WantedFacts {
    private static final Logger LOG = LoggerFactory.getLogger(WantedFacts.class);
    private static final int TICKS_MIN = 5;
    private static final int TICKS_MAX = 60;

    private final Runnable wantAll;
    private long count;
    private String last = "";
    private int gap = TICKS_MIN;
    private int ticksLeft;

    WantedFacts(Runnable wantAll) {
        this.wantAll = wantAll;
    }

    /** A fact could not be kept. */
    void lost(Throwable why) {
        want(why.toString());
    }

    /** The books of a node that was asked about are not there, or not complete. */
    void missing(String node) {
        want("the books of node " + node + " are not complete");
    }

    private void want(String why) {
        count++;
        last = why;
    }

    /** Called once a second. */
    void tick() {
        if (ticksLeft > 0) {
            ticksLeft--;
        } else if (count > 0) {
            LOG.atWarn()
                    .addKeyValue(LogKeys.COUNT, count)
                    .addKeyValue(LogKeys.REASON, last)
                    .log("Facts are missing; all of them are asked for again.");
            wantAll.run();
            ticksLeft = gap;
            gap = Math.min(2 * gap, TICKS_MAX);
            count = 0;
        } else {
            gap = TICKS_MIN;
        }
    }
}
