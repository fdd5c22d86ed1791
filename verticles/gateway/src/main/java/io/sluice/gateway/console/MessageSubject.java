package io.sluice.gateway.console;

import io.sluice.bus.Tap;
import io.sluice.units.VmId;
import java.util.Optional;

/**
 * Whom a message is about, as far as it says so.
 *
 * @param vm {@code namespace/name}; empty where it names none
 * @param node a node's name; empty where it names none
 */
record MessageSubject(String vm, String node) {
    private static final MessageSubject NOBODY = new MessageSubject("", "");

    /** Of what passes; an answer that does not say is about what its question was about. */
    static MessageSubject of(Tap.Passage passage, MemberNames names) {
        var said = passage.message().map(message -> in(message, names)).orElse(NOBODY);
        if (!said.vm().isEmpty() && !said.node().isEmpty()) {
            return said;
        }
        return passage.question().map(question -> said.or(in(question, names))).orElse(said);
    }

    private MessageSubject or(MessageSubject other) {
        return new MessageSubject(vm.isEmpty() ? other.vm : vm, node.isEmpty() ? other.node : node);
    }

    private static MessageSubject in(Object message, MemberNames names) {
        return message instanceof Record parts ? in(parts, names) : NOBODY;
    }

    private static MessageSubject in(Record message, MemberNames names) {
        var vm = "";
        var node = "";
        var namespace = "";
        var vmName = "";
        var member = "";
        for (var part : MessageParts.of(message.getClass()).parts()) {
            var value = part.in(message);
            switch (part.name()) {
                case "vm" -> vm = key(value);
                case "node" -> node = text(value);
                case "namespace" -> namespace = text(value);
                case "vmName" -> vmName = text(value);
                case "member", "uid" -> member = text(value);
                default -> {}
            }
        }
        if (vm.isEmpty() && !vmName.isEmpty() && !namespace.isEmpty()) {
            vm = namespace + "/" + vmName;
        }
        return new MessageSubject(vm.isEmpty() ? names.vmIn(member).orElse("") : vm, node);
    }

    private static String key(Object value) {
        return switch (value) {
            case VmId id -> id.label();
            case Optional<?> optional when optional.isPresent() -> key(optional.get());
            case null, default -> "";
        };
    }

    private static String text(Object value) {
        return value instanceof String text ? text : "";
    }
}
