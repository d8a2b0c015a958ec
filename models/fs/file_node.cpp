#include <copysim/models/fs/file_node.hpp>

#include <algorithm>

namespace copysim {

Task<ReadResult> FileNode::page_in(Extent extent) {
  const Bytes stored = std::min(extent.end(), align_up(valid_data, page_size));
  Content content;
  if (extent.offset < valid_data) {
    const Bytes from_disk = stored - extent.offset;
    const ReadResult result = co_await volume_->read(map, {extent.offset, from_disk});
    if (!result.ok()) co_return ReadResult{result.status()};
    // The last page may hold what its clusters had before.
    content = result.content().slice({0_B, std::min(from_disk, valid_data - extent.offset)});
  }
  if (content.size() < extent.length) {
    content.append(Content::zeros(extent.length - content.size()));
  }
  co_return ReadResult{IoStatus::ok, std::move(content)};
}

Task<IoStatus> FileNode::page_out(Bytes offset, Content content, bool to_medium) {
  const IoStatus status = co_await volume_->write(map, offset, std::move(content), to_medium);
  co_return status;
}

}  // namespace copysim
