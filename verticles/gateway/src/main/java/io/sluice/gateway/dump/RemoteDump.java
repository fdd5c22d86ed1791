package io.sluice.gateway.dump;

import io.sluice.bus.Bus;
import io.sluice.bus.MemberAddresses;
import io.sluice.bus.RequestAddress;
import io.sluice.bus.RequestFailureText;
import io.sluice.messages.member.DumpReply;
import io.sluice.messages.member.DumpRequest;
import io.sluice.shell.Dumps;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The state of another process, read over the bus with the interface of a local dump. After one request without a reply
 * it requests nothing more: all that is left fails at once. For one reader on one event loop.
 */
public final class RemoteDump {
    /** More keys are not read of one part, and more characters not of one piece. */
    private static final int KEYS_MAX = 100_000;

    private static final int CHARACTERS_MAX = DumpServer.PIECE_CHARACTERS_MAX;
    private static final AtomicLong READERS = new AtomicLong();

    private final Bus bus;
    private final RequestAddress<DumpRequest, DumpReply> address;
    private final String reader;
    private Optional<String> lost = Optional.empty();

    /**
     * Creates a dump of which nothing is read yet.
     *
     * @param self the id of this process
     * @param peer the id of the other
     */
    public RemoteDump(Bus bus, String self, String peer) {
        this.bus = bus;
        address = MemberAddresses.DUMP.at(peer);
        reader = self + "/" + READERS.incrementAndGet();
    }

    /** Returns the parts of the other process. */
    public Future<Map<String, Dumps.Source>> parts() {
        return request(new DumpRequest.Parts()).map(reply -> {
            Map<String, Dumps.Source> parts = new TreeMap<>();
            if (reply instanceof DumpReply.Parts(var names)) {
                names.forEach(name -> parts.put(name, new Part(name)));
            }
            return parts;
        });
    }

    private final class Part implements Dumps.Source {
        private final String name;

        private Part(String name) {
            this.name = name;
        }

        @Override
        public Future<List<String>> keys() {
            return keys(new ArrayList<>());
        }

        private Future<List<String>> keys(List<String> read) {
            return request(new DumpRequest.Keys(reader, name, read.size())).compose(reply -> {
                boolean more = reply instanceof DumpReply.Keys keys && read.addAll(keys.keys()) && keys.more();
                return more && read.size() < KEYS_MAX ? keys(read) : Future.succeededFuture(read);
            });
        }

        @Override
        public Future<String> read(String key) {
            return read(key, new StringBuilder());
        }

        private Future<String> read(String key, StringBuilder read) {
            return request(new DumpRequest.Piece(reader, name, key, read.length()))
                    .compose(reply -> {
                        if (reply instanceof DumpReply.Slice(var json, var more)) {
                            read.append(json);
                            return more && !json.isEmpty() && read.length() < CHARACTERS_MAX
                                    ? read(key, read)
                                    : Future.succeededFuture(read.toString());
                        }
                        return Future.failedFuture("the reply was for another request");
                    });
        }
    }

    private Future<DumpReply> request(DumpRequest request) {
        if (lost.isPresent()) {
            return Future.failedFuture(lost.get());
        }
        return bus.request(address, request)
                .recover(silence -> {
                    lost = Optional.of(RequestFailureText.why(address, silence));
                    return Future.failedFuture(lost.get());
                })
                .compose(reply -> reply instanceof DumpReply.Failed(var sentence)
                        ? Future.failedFuture(sentence)
                        : Future.succeededFuture(reply));
    }
}
