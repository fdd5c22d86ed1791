package io.sluice.gateway.dump;

import io.sluice.messages.member.DumpReply;
import io.sluice.messages.member.DumpRequest;
import io.sluice.shell.Dumps;
import io.sluice.shell.config.Durations;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;

/**
 * Serves the state of this process to other processes in parts: what does not fit into one reply is kept for its reader
 * until the reader has received the end or sends no request for a while. For one event loop.
 */
public final class DumpServer {
    static final int READERS_MAX = 4;

    /** A piece with more characters is not sent. */
    static final int PIECE_CHARACTERS_MAX = 4 << 20;

    private static final Duration WITHIN = Duration.ofSeconds(5);
    private static final Duration LEASE = Duration.ofSeconds(DumpRequest.LEASE_SECONDS);

    private final Dumps dumps;
    private final Context context;
    private final Duration within;
    private final Map<String, Part> kept = new HashMap<>();

    /** What a reader has begun to read: its part or piece, the whole content, and until when it is kept. */
    private record Part(List<String> name, Content content, Instant until) {}

    /** Content that may be too large for one reply. */
    private sealed interface Content {
        DumpReply from(int from);

        /** Returns whether a reply that begins there reaches the end. */
        boolean endsAfter(int from);
    }

    private record Keys(List<String> all) implements Content {
        @Override
        public DumpReply from(int from) {
            int start = Math.min(from, all.size());
            int end = Math.min(all.size(), start + DumpReply.KEYS_MAX);
            return new DumpReply.Keys(all.subList(start, end), !endsAfter(from));
        }

        @Override
        public boolean endsAfter(int from) {
            return from + DumpReply.KEYS_MAX >= all.size();
        }
    }

    private record Piece(String json) implements Content {
        @Override
        public DumpReply from(int from) {
            int start = Math.min(from, json.length());
            return new DumpReply.Slice(json.substring(start, end(start)), !endsAfter(from));
        }

        /** The two halves of a surrogate pair are not separated. */
        private int end(int start) {
            int end = Math.min(json.length(), start + DumpReply.CHARACTERS_MAX);
            boolean splits = end < json.length() && Character.isHighSurrogate(json.charAt(end - 1));
            return splits ? end - 1 : end;
        }

        @Override
        public boolean endsAfter(int from) {
            return from + DumpReply.CHARACTERS_MAX >= json.length();
        }
    }

    public DumpServer(Dumps dumps, Context context) {
        this(dumps, context, WITHIN);
    }

    /** @param within how long a source may take; less than the address's timeout */
    public DumpServer(Dumps dumps, Context context, Duration within) {
        this.dumps = dumps;
        this.context = context;
        this.within = within;
    }

    public Future<DumpReply> answer(DumpRequest request, Instant now) {
        return switch (request) {
            case DumpRequest.Parts() ->
                Future.succeededFuture(
                        new DumpReply.Parts(List.copyOf(dumps.parts().keySet())));
            case DumpRequest.Keys(var reader, var part, var from)
            when from > 0 -> goOn(reader, List.of(part), from, now);
            case DumpRequest.Keys(var reader, var part, var _) ->
                begin(reader, List.of(part), now, source -> source.keys().map(Keys::new));
            case DumpRequest.Piece(var reader, var part, var key, var from)
            when from > 0 -> goOn(reader, List.of(part, key), from, now);
            case DumpRequest.Piece(var reader, var part, var key, var _) ->
                begin(
                        reader,
                        List.of(part, key),
                        now,
                        source -> source.read(key).map(DumpServer::piece));
        };
    }

    private static Content piece(String json) {
        if (json.length() > PIECE_CHARACTERS_MAX) {
            throw new IllegalStateException("it has " + json.length() + " characters, and at most "
                    + PIECE_CHARACTERS_MAX + " are sent to another process");
        }
        return new Piece(json);
    }

    /** Sources reply on any thread, and may throw. */
    private Future<DumpReply> begin(
            String reader, List<String> name, Instant now, Function<Dumps.Source, Future<? extends Content>> read) {
        var reply = Promise.<DumpReply>promise();
        source(name.getFirst())
                .compose(source -> read.apply(source).<Content>map(content -> content))
                .timeout(within.toMillis(), TimeUnit.MILLISECONDS)
                .onComplete(done -> context.runOnContext(back -> reply.complete(
                        done.succeeded() ? begun(reader, name, done.result(), now) : failed(done.cause()))));
        return reply.future();
    }

    private Future<Dumps.Source> source(String part) {
        var source = dumps.parts().get(part);
        return source == null ? Future.failedFuture("there is no part " + part) : Future.succeededFuture(source);
    }

    private DumpReply begun(String reader, List<String> name, Content content, Instant now) {
        kept.remove(reader);
        if (!content.endsAfter(0)) {
            if (kept.size() >= READERS_MAX) {
                return new DumpReply.Failed(READERS_MAX + " others read long pieces of this process; request it again");
            }
            kept.put(reader, new Part(name, content, now.plus(LEASE)));
        }
        return content.from(0);
    }

    private Future<DumpReply> goOn(String reader, List<String> name, int from, Instant now) {
        var begun = kept.get(reader);
        if (begun == null || !begun.name().equals(name)) {
            return Future.succeededFuture(new DumpReply.Failed("the reader paused for too long; read it anew"));
        }
        if (begun.content().endsAfter(from)) {
            kept.remove(reader);
        } else {
            kept.put(reader, new Part(name, begun.content(), now.plus(LEASE)));
        }
        return Future.succeededFuture(begun.content().from(from));
    }

    private DumpReply failed(Throwable failure) {
        if (failure instanceof TimeoutException) {
            return new DumpReply.Failed("there was no reply within " + Durations.text(within));
        }
        return new DumpReply.Failed(failure.getMessage() == null ? failure.toString() : failure.getMessage());
    }

    /** Removes the content of readers without a recent request; to be called each second. */
    public void tick(Instant now) {
        kept.values().removeIf(begun -> !begun.until().isAfter(now));
    }

    int readers() {
        return kept.size();
    }
}
