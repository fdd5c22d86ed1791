package io.sluice.gateway.listener;

import io.vertx.core.http.HttpConnection;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The connections of a listener while they are in use. The server's own idle timeout does not detect a client that
 * sends a header byte by byte; this does.
 */
final class Connections {
    private static final Duration BODY_WITHIN = Duration.ofSeconds(5);
    private static final long DISCARDED_BYTES_MAX = 1024 * 1024;

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

    /**
     * Reads on after a reply that did not need the body, so that its sender gets to read the reply: closing at once
     * would reset the connection. A body that is much too long or late ends it.
     */
    void discardBody(HttpServerRequest request, Instant now) {
        if (!hasBody(request)) {
            request.resume();
            return;
        }
        var connection = request.connection();
        var use = uses.get(connection);
        if (use == null) {
            return;
        }
        var idle = use.closeAt;
        use.closeAt = now.plus(BODY_WITHIN);
        var left = new AtomicLong(DISCARDED_BYTES_MAX);
        request.exceptionHandler(gone -> {})
                .handler(chunk -> {
                    if (left.addAndGet(-chunk.length()) < 0) {
                        connection.close();
                    }
                })
                .endHandler(whole -> use.closeAt = idle)
                .resume();
    }

    private static boolean hasBody(HttpServerRequest request) {
        var length = request.getHeader(HttpHeaders.CONTENT_LENGTH);
        return request.headers().contains(HttpHeaders.TRANSFER_ENCODING) || length != null && !length.equals("0");
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
