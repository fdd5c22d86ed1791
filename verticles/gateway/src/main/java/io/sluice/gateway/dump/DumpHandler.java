package io.sluice.gateway.dump;

import io.micrometer.core.instrument.Counter;
import io.sluice.bus.Bus;
import io.sluice.shell.Peer;
import io.sluice.shell.Shell;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.ext.web.RoutingContext;
import io.vertx.ext.web.handler.HttpException;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.stream.Collectors;

/** Replies to GET with the state of one process or of all as JSON, sorted and streamed; one reader at a time. */
public final class DumpHandler implements Handler<RoutingContext> {
    private static final Duration PIECE_WITHIN = Duration.ofSeconds(5);

    /**
     * Longer than the timeout of the bus, so that a process that does not reply causes one wait and not one for each
     * piece.
     */
    private static final Duration REMOTE_PIECE_WITHIN = Duration.ofSeconds(15);

    private static final Duration ALL_WITHIN = Duration.ofMinutes(5);
    private static final String MEMBER = "member";

    private final Vertx vertx;
    private final Shell shell;
    private final DumpShape shape;
    private final Duration pieceWithin;
    private boolean busy;

    DumpHandler(Vertx vertx, Shell shell, DumpShape shape, Duration pieceWithin) {
        this.vertx = Objects.requireNonNull(vertx, "vertx");
        this.shell = Objects.requireNonNull(shell, "shell");
        this.shape = shape;
        this.pieceWithin = pieceWithin;
    }

    /**
     * A handler for all that the parts of the process offer: {@code {"<part>": {"<key>": ...}}}. In a Hazelcast cluster
     * the reply has this for each process by its id; {@code ?member=} selects one of them. For one event loop.
     */
    public static DumpHandler ofAll(Vertx vertx, Shell shell) {
        return shell.peers().alone()
                ? new DumpHandler(vertx, shell, DumpShape.PROCESS, PIECE_WITHIN)
                : new DumpHandler(vertx, shell, DumpShape.CLUSTER, REMOTE_PIECE_WITHIN);
    }

    /**
     * A handler for the state of the agent's runners in the reference's shape: {@code {"stopped": false, "pods":
     * [...]}}.
     */
    public static DumpHandler ofAgent(Vertx vertx, Shell shell) {
        return new DumpHandler(vertx, shell, DumpShape.AGENT, PIECE_WITHIN);
    }

    @Override
    public void handle(RoutingContext context) {
        var request = context.request();
        if (!request.method().equals(HttpMethod.GET)) {
            request.response().putHeader(HttpHeaders.ALLOW, "GET");
            throw new HttpException(405, "a dump must be requested with GET");
        }
        if (busy) {
            request.response().putHeader(HttpHeaders.RETRY_AFTER, "1");
            throw new HttpException(503, "another dump is being read; one at a time");
        }
        var pod = request.params().get(MEMBER);
        if (shape != DumpShape.CLUSTER) {
            run(request, shape, List.of(self()));
        } else if (pod == null) {
            run(request, shape, shell.peers().all().stream().map(this::holder).toList());
        } else {
            runOne(request, pod);
        }
    }

    /** The first characters of an id are enough if they belong to one process only. */
    private void runOne(HttpServerRequest request, String pod) {
        var all = shell.peers().all();
        var meant = all.stream()
                .filter(peer -> !pod.isEmpty() && peer.id().startsWith(pod))
                .toList();
        if (meant.size() == 1) {
            run(request, DumpShape.PROCESS, List.of(holder(meant.getFirst())));
        } else {
            var ids = (meant.isEmpty() ? all : meant).stream().map(Peer::id).collect(Collectors.joining(", "));
            throw new HttpException(
                    meant.isEmpty() ? 404 : 409,
                    (meant.isEmpty() ? "no process has that id; there are " : "several processes match: ") + ids);
        }
    }

    private DumpStream.Holder holder(Peer peer) {
        return peer.id().equals(shell.peers().self().id())
                ? self()
                : new DumpStream.Holder(
                        peer.id(),
                        new RemoteDump(new Bus(vertx), shell.peers().self().id(), peer.id())::parts);
    }

    private DumpStream.Holder self() {
        return new DumpStream.Holder(
                shell.peers().self().id(), () -> Future.succeededFuture(shape.parts(shell.dumps())));
    }

    private void run(HttpServerRequest request, DumpShape how, List<DumpStream.Holder> members) {
        busy = true;
        request.response().setChunked(true).putHeader(HttpHeaders.CONTENT_TYPE, "application/json");
        new DumpStream(vertx, request, how, pieceWithin).run(members, ALL_WITHIN, this::ended);
    }

    private void ended(String outcome) {
        busy = false;
        Counter.builder("sluice.gateway.dumps")
                .description("Dumps by outcome: whole, left by the reader before the end, or late.")
                .tag("shape", shape.name().toLowerCase(Locale.ROOT))
                .tag("outcome", outcome)
                .register(shell.meters())
                .increment();
    }
}
