package io.sluice.workers.store;

import io.sluice.shell.LogKeys;
import io.sluice.workers.core.Row;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes rows in the order in which they come, all that wait in one commit. A commit that fails is tried again until it
 * succeeds, unless another process writes the store now; a newer row replaces one that waits, so what waits is never
 * more than the fleet itself. Used on one context.
 */
public final class GroupCommit {
    private static final Logger LOG = LoggerFactory.getLogger(GroupCommit.class);
    private static final long AGAIN_MS = 500;

    private final FleetStore store;
    private final Context context;
    private final Runnable fenced;
    private Map<String, Row> waiting = new LinkedHashMap<>();
    private List<Promise<Void>> promises = new ArrayList<>();
    private boolean busy;
    private boolean failing;

    /** @param fenced runs once another process may write the store and this one no more */
    public GroupCommit(FleetStore store, Context context, Runnable fenced) {
        this.store = store;
        this.context = context;
        this.fenced = fenced;
    }

    /** Whether the last commit failed. */
    public boolean failing() {
        return failing;
    }

    /** The steps that wait for a commit. */
    public int waiting() {
        return promises.size();
    }

    /** Completes once the rows, and all before, are durable. Without rows it completes at once. */
    public Future<Void> write(List<Row> rows) {
        if (rows.isEmpty()) {
            return Future.succeededFuture();
        }
        rows.forEach(row -> {
            waiting.remove(row.key());
            waiting.put(row.key(), row);
        });
        Promise<Void> promise = Promise.promise();
        promises.add(promise);
        flush();
        return promise.future();
    }

    private void flush() {
        if (busy || promises.isEmpty()) {
            return;
        }
        busy = true;
        var rows = waiting;
        var written = promises;
        waiting = new LinkedHashMap<>();
        promises = new ArrayList<>();
        context.executeBlocking(() -> {
                    store.commit(rows.values());
                    return null;
                })
                .onSuccess(done -> {
                    failing = false;
                    busy = false;
                    written.forEach(Promise::complete);
                    flush();
                })
                .onFailure(failed -> {
                    if (failed instanceof FencedException) {
                        failing = true;
                        written.forEach(promise -> promise.fail(failed));
                        fenced.run();
                    } else {
                        again(rows, written, failed);
                    }
                });
    }

    private void again(Map<String, Row> rows, List<Promise<Void>> written, Throwable failed) {
        if (!failing) {
            LOG.atError()
                    .addKeyValue(LogKeys.ERROR, failed.toString())
                    .log("The store of workers and instances cannot be written; nothing new is placed.");
        }
        failing = true;
        waiting.forEach((key, row) -> {
            rows.remove(key);
            rows.put(key, row);
        });
        waiting = rows;
        written.addAll(promises);
        promises = written;
        context.owner().setTimer(AGAIN_MS, timer -> {
            busy = false;
            flush();
        });
    }
}
