package io.sluice.gateway.peers;

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
 * Lets other processes read the state of this one, some of it at a time: what does not fit into one answer is kept for
 * its reader until he has the end of it or is silent for a while. For one event loop.
 */
final class DumpServer {
    static final int READERS_MAX = 4;

    /** A piece with more characters is not carried. */
    static final int PIECE_CHARACTERS_MAX = 4 << 20;

    private static final Duration WITHIN = Duration.ofSeconds(5);
    private static final Duration LEASE = Duration.ofSeconds(DumpRequest.LEASE_SECONDS);

    private final Dumps dumps;
    private final Context context;
    private final Duration within;
    private final Map<String, Part> kept = new HashMap<>();

    /** What a reader has begun to read: of what part or piece, all of it, and until when it is kept. */
    private record Part(List<String> name, Content content, Instant until) {}

    /** Something that may be too much for one answer. */
    private sealed interface Content {
        DumpReply from(int from);

        /** How far an answer that began there has come, and whether it ends there. */
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

        /** Two characters that make up one stay together. */
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

    DumpServer(Dumps dumps, Context context) {
        this(dumps, context, WITHIN);
    }

    /** @param within a source that takes longer is not waited for; less than the address's timeout */
    DumpServer(Dumps dumps, Context context, Duration within) {
        this.dumps = dumps;
        this.context = context;
        this.within = within;
    }

    Future<DumpReply> answer(DumpRequest wanted, Instant now) {
        return switch (wanted) {
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
                    + PIECE_CHARACTERS_MAX + " are carried to another process");
        }
        return new Piece(json);
    }

    /** Sources answer on any thread, and may throw. */
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
                return new DumpReply.Failed(READERS_MAX + " others read long pieces of this process; ask again");
            }
            kept.put(reader, new Part(name, content, now.plus(LEASE)));
        }
        return content.from(0);
    }

    private Future<DumpReply> goOn(String reader, List<String> name, int from, Instant now) {
        var begun = kept.get(reader);
        if (begun == null || !begun.name().equals(name)) {
            return Future.succeededFuture(new DumpReply.Failed("it was not read on for too long; read it anew"));
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
            return new DumpReply.Failed("there was no answer within " + Durations.text(within));
        }
        return new DumpReply.Failed(failure.getMessage() == null ? failure.toString() : failure.getMessage());
    }

    /** Forgets readers that are silent; to be called each second. */
    void tick(Instant now) {
        kept.values().removeIf(begun -> !begun.until().isAfter(now));
    }

    int readers() {
        return kept.size();
    }
}
