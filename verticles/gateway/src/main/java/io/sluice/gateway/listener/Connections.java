package io.sluice.gateway.listener;

import io.vertx.core.http.HttpConnection;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The connections of a listener while they are in use. The server's own idle timeout does not detect a client that
 * sends a header byte by byte; this does.
 */
final class Connections {
    private final ListenerTimeouts timeouts;
    private final Map<HttpConnection, Use> uses = new HashMap<>();

    private static final class Use {
        private int requests;
        private Instant closeAt;

        Use(Instant closeAt) {
            this.closeAt = closeAt;
        }
    }

    Connections(ListenerTimeouts timeouts) {
        this.timeouts = timeouts;
    }

    void opened(HttpConnection connection, Instant now) {
        uses.put(connection, new Use(now.plus(timeouts.first())));
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
            use.closeAt = now.plus(timeouts.idle());
        }
    }

    void tick(Instant now) {
        var late = uses.entrySet().stream()
                .filter(open -> open.getValue().requests == 0 && !now.isBefore(open.getValue().closeAt))
                .map(Map.Entry::getKey)
                .toList();
        late.forEach(HttpConnection::close);
    }

    /** Closes all connections, when some may have been admitted by a credential that is no longer valid. */
    void closeAll() {
        List.copyOf(uses.keySet()).forEach(HttpConnection::close);
    }
}
