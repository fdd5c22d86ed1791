package io.sluice.ledger;

import io.sluice.ledger.core.LedgerNotice;
import io.sluice.ledger.core.state.NodeState;
import io.sluice.ledger.store.LedgerStore;
import io.vertx.core.Context;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.BiConsumer;

/**
 * Passes the events of a store, which come on any thread, to the verticle's context: the newest state of each node, and
 * every notice. However many events there are, at most one task waits on the context.
 */
final class LedgerFeed implements LedgerStore.Watcher {
    private final Context context;
    private final BiConsumer<NodeState, List<LedgerNotice>> happened;
    private Map<String, News> waiting = new LinkedHashMap<>();

    private record News(NodeState newest, List<LedgerNotice> notices) {}

    LedgerFeed(Context context, BiConsumer<NodeState, List<LedgerNotice>> happened) {
        this.context = context;
        this.happened = happened;
    }

    @Override
    public void ran(NodeState after, List<LedgerNotice> notices) {
        if (keep(after, notices)) {
            try {
                context.runOnContext(turn -> send());
            } catch (RejectedExecutionException closed) {
                // A process that stops keeps ledger state until others have it; its verticle receives no more events.
                take();
            }
        }
    }

    /** Whether a task has to be started. */
    private synchronized boolean keep(NodeState after, List<LedgerNotice> notices) {
        boolean first = waiting.isEmpty();
        waiting.merge(after.node(), new News(after, notices), (before, news) -> {
            if (before.notices().isEmpty() || news.notices().isEmpty()) {
                return new News(news.newest(), before.notices().isEmpty() ? news.notices() : before.notices());
            }
            var both = new ArrayList<>(before.notices());
            both.addAll(news.notices());
            return new News(news.newest(), both);
        });
        return first;
    }

    private void send() {
        take().values().forEach(news -> happened.accept(news.newest(), news.notices()));
    }

    private synchronized Map<String, News> take() {
        var taken = waiting;
        waiting = new LinkedHashMap<>();
        return taken;
    }
}
