package io.sluice.neonvm;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import io.sluice.neonvm.core.NeonVmKeys;
import io.vertx.core.Context;
import java.util.List;
import java.util.function.BiConsumer;

/** Watches nodes, pods and VMs, and brings each change to one context. A watch that breaks is begun again for ever. */
final class Informers {
    private static final ObjectMapper MAPPER = new ObjectMapper();
    private static final ResourceDefinitionContext NODES =
            of("v1", "nodes", "Node").withNamespaced(false).build();
    private static final ResourceDefinitionContext PODS =
            of("v1", "pods", "Pod").withNamespaced(true).build();
    private static final ResourceDefinitionContext VMS = of(NeonVmKeys.VERSION, NeonVmKeys.VMS, "VirtualMachine")
            .withGroup(NeonVmKeys.GROUP)
            .withNamespaced(true)
            .build();

    private final List<SharedIndexInformer<GenericKubernetesResource>> informers;

    /**
     * What is to be done with changes; the flag says that the object is gone.
     *
     * @param node of a node
     * @param pod of a pod
     * @param vm of a VM
     */
    record Handlers(
            BiConsumer<JsonNode, Boolean> node, BiConsumer<JsonNode, Boolean> pod, BiConsumer<JsonNode, Boolean> vm) {}

    Informers(KubernetesClient client, Context context, Handlers handlers) {
        informers = List.of(
                watching(client.genericKubernetesResources(NODES).runnableInformer(0), context, handlers.node()),
                watching(
                        client.genericKubernetesResources(PODS).inAnyNamespace().runnableInformer(0),
                        context,
                        handlers.pod()),
                watching(
                        client.genericKubernetesResources(VMS).inAnyNamespace().runnableInformer(0),
                        context,
                        handlers.vm()));
    }

    /** Never blocks: what is there already arrives as changes. */
    void start() {
        informers.forEach(SharedIndexInformer::start);
    }

    void stop() {
        informers.forEach(SharedIndexInformer::stop);
    }

    private static ResourceDefinitionContext.Builder of(String version, String plural, String kind) {
        return new ResourceDefinitionContext.Builder()
                .withVersion(version)
                .withPlural(plural)
                .withKind(kind);
    }

    private static SharedIndexInformer<GenericKubernetesResource> watching(
            SharedIndexInformer<GenericKubernetesResource> informer,
            Context context,
            BiConsumer<JsonNode, Boolean> handler) {
        return informer.exceptionHandler((started, failure) -> true).addEventHandler(new ResourceEventHandler<>() {
            @Override
            public void onAdd(GenericKubernetesResource object) {
                tell(object, false);
            }

            @Override
            public void onUpdate(GenericKubernetesResource before, GenericKubernetesResource object) {
                tell(object, false);
            }

            @Override
            public void onDelete(GenericKubernetesResource object, boolean finalStateUnknown) {
                tell(object, true);
            }

            private void tell(GenericKubernetesResource object, boolean gone) {
                JsonNode json = MAPPER.valueToTree(object);
                context.runOnContext(ignored -> handler.accept(json, gone));
            }
        });
    }
}
