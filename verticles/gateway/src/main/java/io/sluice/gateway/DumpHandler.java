package io.sluice.gateway;

import io.micrometer.core.instrument.Counter;
import io.sluice.bus.Bus;
import io.sluice.gateway.listener.ShortReplies;
import io.sluice.gateway.peers.RemoteDump;
import io.sluice.shell.Peer;
import io.sluice.shell.Shell;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.stream.Collectors;

/** Answers GET with the state of one process or of all as JSON, sorted and streamed; one reader at a time. */
public final class DumpHandler implements Handler<HttpServerRequest> {
    private static final Duration PIECE_WITHIN = Duration.ofSeconds(5);

    /**
     * Beyond the timeout of the bus, so that a process that does not answer is waited for once and not at each piece.
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
     * Everything that the parts of the process offer: {@code {"<part>": {"<key>": ...}}}. Where there could be other
     * processes, that of each of them by its id; {@code ?member=} names one of them. For one event loop.
     */
    public static DumpHandler ofAll(Vertx vertx, Shell shell) {
        return shell.peers().alone()
                ? new DumpHandler(vertx, shell, DumpShape.PROCESS, PIECE_WITHIN)
                : new DumpHandler(vertx, shell, DumpShape.CLUSTER, REMOTE_PIECE_WITHIN);
    }

    /** What the agent offers, as agents have always shown it: {@code {"stopped": false, "pods": [...]}}. */
    public static DumpHandler ofAgent(Vertx vertx, Shell shell) {
        return new DumpHandler(vertx, shell, DumpShape.AGENT, PIECE_WITHIN);
    }

    @Override
    public void handle(HttpServerRequest request) {
        if (!request.method().equals(HttpMethod.GET)) {
            request.response().putHeader(HttpHeaders.ALLOW, "GET");
            ShortReplies.error(request, 405, "a dump is read with GET");
            return;
        }
        if (busy) {
            request.response().putHeader(HttpHeaders.RETRY_AFTER, "1");
            ShortReplies.error(request, 503, "another dump is being read; one at a time");
            return;
        }
        var member = request.params().get(MEMBER);
        if (shape != DumpShape.CLUSTER) {
            run(request, shape, List.of(self()));
        } else if (member == null) {
            run(request, shape, shell.peers().all().stream().map(this::holder).toList());
        } else {
            runOne(request, member);
        }
    }

    /** The first characters of an id are enough where they are those of one alone. */
    private void runOne(HttpServerRequest request, String member) {
        var all = shell.peers().all();
        var meant = all.stream()
                .filter(peer -> !member.isEmpty() && peer.id().startsWith(member))
                .toList();
        if (meant.size() == 1) {
            run(request, DumpShape.PROCESS, List.of(holder(meant.getFirst())));
        } else {
            var ids = (meant.isEmpty() ? all : meant).stream().map(Peer::id).collect(Collectors.joining(", "));
            ShortReplies.error(
                    request,
                    meant.isEmpty() ? 404 : 409,
                    (meant.isEmpty()
                                    ? "no process has that id; there are "
                                    : "it is not clear which of these is meant: ")
                            + ids);
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
                .description("Dumps that were read: whole, or left or too late before their end.")
                .tag("shape", shape.name().toLowerCase(Locale.ROOT))
                .tag("outcome", outcome)
                .register(shell.meters())
                .increment();
    }
}
