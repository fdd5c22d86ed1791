package io.sluice.gateway.listener;

import io.vertx.core.http.HttpConnection;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The connections of a door, each for as long as it is used. The server's own idle timeout does not see a caller who
 * sends a header letter by letter; this does.
 */
final class Connections {
    private final ListenerTimeouts patience;
    private final Map<HttpConnection, Use> uses = new HashMap<>();

    private static final class Use {
        private int requests;
        private Instant closeAt;

        Use(Instant closeAt) {
            this.closeAt = closeAt;
        }
    }

    Connections(ListenerTimeouts patience) {
        this.patience = patience;
    }

    void opened(HttpConnection connection, Instant now) {
        uses.put(connection, new Use(now.plus(patience.first())));
        connection.closeHandler(closed -> uses.remove(connection));
    }

    void began(HttpConnection connection) {
        var use = uses.get(connection);
        if (use != null) {
            use.requests++;
        }
    }

    void ended(HttpConnection connection, Instant now) {
        var use = uses.get(connection);
        if (use != null) {
            use.requests--;
            use.closeAt = now.plus(patience.idle());
        }
    }

    void tick(Instant now) {
        var late = uses.entrySet().stream()
                .filter(open -> open.getValue().requests == 0 && !now.isBefore(open.getValue().closeAt))
                .map(Map.Entry::getKey)
                .toList();
        late.forEach(HttpConnection::close);
    }

    /** For when some that were let in would not be any more, and nobody knows which. */
    void closeAll() {
        List.copyOf(uses.keySet()).forEach(HttpConnection::close);
    }
}
